package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.fleet.WorkersCommand;
import io.openmessaging.benchmark.fleet.WorkersStartCommand;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands of {@code bin/benchmark}. Each is loaded only when requested, since every loaded class delays the help
 * and error messages.
 */
final class Subcommands {

    private final Map<String, Supplier<Object>> byName = new LinkedHashMap<>();
    private final StringBuilder help =
            new StringBuilder("%nCommands (bin/benchmark COMMAND --help shows the options of each):%n");
    private final Supplier<Object> byDefault;

    /** Creates the list of commands, none of them parsed yet. */
    Subcommands(StopSignal stop, Path currentFolder) {
        byDefault = () -> new RunCommand(stop, currentFolder);
        add(RunCommand.NAME, "runs workloads with drivers, a result for each; the default command", byDefault);
        add(
                PlanCommand.NAME,
                "runs systems, cases and repetitions of a file; also as --plan FILE",
                () -> new PlanCommand(stop, currentFolder));
        add(JudgeCommand.NAME, "judges a study's claims on its plan's results; also --judge DIR", JudgeCommand::new);
        add(
                QuickCommand.NAME,
                "compares systems in ten minutes: highest rate, latency at half",
                () -> new QuickCommand(stop, currentFolder));
        add("report", "draws charts and a page from results (bin/charts)", () -> new ScriptCommand("bin/charts"));
        add(
                "compare",
                "shows what changed between two sets of results (bin/compare)",
                () -> new ScriptCommand("bin/compare"));
        add(ListCommand.NAME, "lists drivers, workloads and plans by name, and local brokers", ListCommand::new);
        add(ExplainCommand.NAME, "explains what a finding means and what to do about it", ExplainCommand::new);
        add(DoctorCommand.NAME, "checks if this machine is fit to measure", () -> new DoctorCommand(currentFolder));
        add(
                CalibrateCommand.NAME,
                "measures what the harness itself can do on this machine",
                () -> new CalibrateCommand(stop, currentFolder));
        add(
                WorkersCommand.NAME,
                "checks workers and their clocks; workers start: starts them by SSH",
                () -> new CommandLine(new WorkersCommand(stop, currentFolder, Installation::build))
                        .addSubcommand(new WorkersStartCommand(
                                stop,
                                currentFolder,
                                Installation.fromSystemProperties().home(),
                                Installation.fromSystemProperties().distribution(),
                                Installation::build)));
        add(
                "broker",
                "starts, shows and stops brokers on this machine (bin/broker)",
                () -> new ScriptCommand("bin/broker"));
        add(CompletionCommand.NAME, "prints completions for bash and zsh", () -> new CompletionCommand(this::all));
    }

    /** Adds a command with its line in the overall help. */
    private void add(String name, String summary, Supplier<Object> command) {
        byName.put(name, command);
        help.append("  %-12s%s%%n".formatted(name, summary));
    }

    /** Returns the list of commands for the overall help, as a format of picocli. */
    String help() {
        return help.toString();
    }

    /** Returns all names, in the order of the help. */
    Set<String> names() {
        return byName.keySet();
    }

    /** Adds the command of this name, if it exists. */
    void add(String name, CommandLine to) {
        Supplier<Object> asked = byName.get(name);
        if (asked != null) {
            LogFile.silence();
            to.addSubcommand(name, asked.get());
        }
    }

    /** Returns all commands as subcommands of the default command, which is OMB's form. */
    CommandLine all() {
        CommandLine all = new CommandLine(byDefault.get()).setCommandName("benchmark");
        byName.forEach((name, command) -> all.addSubcommand(name, command.get()));
        return all;
    }

    /** Returns the command that has an option. */
    Optional<String> withOption(String option) {
        return all().getSubcommands().entrySet().stream()
                .filter(entry -> entry.getValue().getCommandSpec().findOption(option) != null)
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
