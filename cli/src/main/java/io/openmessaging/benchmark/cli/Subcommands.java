package io.openmessaging.benchmark.cli;

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
    private final Supplier<Object> byDefault;

    /** Commands that are not parsed yet. */
    Subcommands(StopSignal stop, Path currentFolder) {
        byDefault = () -> new RunCommand(stop, currentFolder);
        byName.put(RunCommand.NAME, byDefault);
        byName.put(PlanCommand.NAME, () -> new PlanCommand(stop, currentFolder));
        byName.put(JudgeCommand.NAME, JudgeCommand::new);
        byName.put(QuickCommand.NAME, () -> new QuickCommand(stop, currentFolder));
        byName.put("report", () -> new ScriptCommand("bin/charts"));
        byName.put("compare", () -> new ScriptCommand("bin/compare"));
        byName.put(ListCommand.NAME, ListCommand::new);
        byName.put(ExplainCommand.NAME, ExplainCommand::new);
        byName.put(DoctorCommand.NAME, () -> new DoctorCommand(currentFolder));
        byName.put(CalibrateCommand.NAME, () -> new CalibrateCommand(stop, currentFolder));
        byName.put(WorkersCommand.NAME, () -> new WorkersCommand(stop, currentFolder, Installation::build));
        byName.put("broker", () -> new ScriptCommand("bin/broker"));
        byName.put(CompletionCommand.NAME, () -> new CompletionCommand(this::all));
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
