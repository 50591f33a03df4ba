package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.fleet.WorkersCommand;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands of {@code bin/benchmark}. One is only loaded if it is asked for: everybody waits for each class that is
 * loaded before the help or a complaint is printed.
 */
final class Subcommands {

    private final Map<String, Supplier<Object>> byName = new LinkedHashMap<>();
    private final StringBuilder help =
            new StringBuilder("%nCommands (bin/benchmark COMMAND --help shows the options of each):%n");
    private final Supplier<Object> byDefault;

    /** Commands that are not parsed yet. */
    Subcommands(StopSignal stop, Path currentFolder) {
        byDefault = () -> new RunCommand(stop, currentFolder);
        add(RunCommand.NAME, "workloads with drivers, a result for each; what runs by default", byDefault);
        add(
                PlanCommand.NAME,
                "systems, cases and repetitions of a file; also as --plan FILE",
                () -> new PlanCommand(stop, currentFolder));
        add(JudgeCommand.NAME, "the claims of a study on its plan's results; also --judge DIR", JudgeCommand::new);
        add(
                QuickCommand.NAME,
                "compares systems in ten minutes: highest rate, latency at half",
                () -> new QuickCommand(stop, currentFolder));
        add("report", "charts and a page from results (bin/charts)", () -> new ScriptCommand("bin/charts"));
        add(
                "compare",
                "what changed between two sets of results (bin/compare)",
                () -> new ScriptCommand("bin/compare"));
        add(ListCommand.NAME, "drivers, workloads and plans by name, and local brokers", ListCommand::new);
        add(ExplainCommand.NAME, "what a finding means and what to do about it", ExplainCommand::new);
        add(DoctorCommand.NAME, "whether this machine is fit to measure", () -> new DoctorCommand(currentFolder));
        add(
                CalibrateCommand.NAME,
                "what the harness itself can do on this machine",
                () -> new CalibrateCommand(stop, currentFolder));
        add(
                WorkersCommand.NAME,
                "whether workers are reachable, and how far apart their clocks are",
                () -> new WorkersCommand(stop, currentFolder, Installation::build));
        add(
                "broker",
                "starts, shows and stops brokers on this machine (bin/broker)",
                () -> new ScriptCommand("bin/broker"));
        add(CompletionCommand.NAME, "a script for bash and zsh", () -> new CompletionCommand(this::all));
    }

    /** Adds one with what the help of all says of it. */
    private void add(String name, String summary, Supplier<Object> command) {
        byName.put(name, command);
        help.append("  %-12s%s%%n".formatted(name, summary));
    }

    /** The list of the commands for the help of all, as a format of picocli. */
    String help() {
        return help.toString();
    }

    /** All names, in the order of the help. */
    Set<String> names() {
        return byName.keySet();
    }

    /** Adds the one of this name, if there is one. */
    void add(String name, CommandLine to) {
        Supplier<Object> asked = byName.get(name);
        if (asked != null) {
            LogFile.silence();
            to.addSubcommand(name, asked.get());
        }
    }

    /** All of them below the command of OMB's form, which is the default. */
    CommandLine all() {
        CommandLine all = new CommandLine(byDefault.get()).setCommandName("benchmark");
        byName.forEach((name, command) -> all.addSubcommand(name, command.get()));
        return all;
    }

    /** The command that has an option. */
    Optional<String> withOption(String option) {
        return all().getSubcommands().entrySet().stream()
                .filter(entry -> entry.getValue().getCommandSpec().findOption(option) != null)
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
