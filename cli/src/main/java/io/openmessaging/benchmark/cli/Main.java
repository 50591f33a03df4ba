package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.fleet.WorkersCommand;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Starts {@code bin/benchmark}. */
public final class Main {

    private Main() {}

    /** Ends the process with an {@link ExitCode}. */
    public static void main(String[] args) {
        StopSignal stop = new StopSignal();
        Signals.install(stop);
        System.exit(commandLine(stop, Path.of(""), args).execute(args));
    }

    /**
     * The command for these arguments. A subcommand is only loaded if it is asked for: everybody else waits for each class
     * that is loaded before the help or a complaint is printed.
     *
     * @param currentFolder where results go
     */
    static CommandLine commandLine(StopSignal stop, Path currentFolder, String... args) {
        CommandLine command = new CommandLine(new BenchmarkCommand(stop, currentFolder));
        Map<String, Supplier<Object>> subcommands = subcommands(stop, currentFolder);
        Supplier<Object> asked = args.length == 0 ? null : subcommands.get(args[0]);
        if (asked != null) {
            LogFile.silence();
            command.addSubcommand(asked.get());
        }
        return configured(command, "benchmark");
    }

    private static Map<String, Supplier<Object>> subcommands(StopSignal stop, Path currentFolder) {
        Map<String, Supplier<Object>> subcommands = new LinkedHashMap<>();
        subcommands.put(QuickCommand.NAME, () -> new QuickCommand(stop, currentFolder));
        subcommands.put(ListCommand.NAME, ListCommand::new);
        subcommands.put(DoctorCommand.NAME, () -> new DoctorCommand(currentFolder));
        subcommands.put(ExplainCommand.NAME, ExplainCommand::new);
        subcommands.put(CalibrateCommand.NAME, () -> new CalibrateCommand(stop, currentFolder));
        subcommands.put(WorkersCommand.NAME, () -> new WorkersCommand(stop, currentFolder, Installation::build));
        subcommands.put(
                CompletionCommand.NAME,
                () -> new CompletionCommand(() -> {
                    CommandLine whole = new CommandLine(new BenchmarkCommand(stop, currentFolder));
                    subcommands.values().forEach(subcommand -> whole.addSubcommand(subcommand.get()));
                    return whole;
                }));
        return subcommands;
    }

    /**
     * A command with its console and its ways to explain what went wrong.
     *
     * @param program the name of its start script
     */
    public static CommandLine configured(CommandLine command, String program) {
        return command.setOut(utf8(FileDescriptor.out))
                .setErr(utf8(FileDescriptor.err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, args) -> explain(e, program))
                .setExecutionExceptionHandler((e, failed, parsed) -> reportError(e, failed, program));
    }

    /** Units such as µs are to be printed whatever the locale. */
    private static PrintWriter utf8(FileDescriptor stream) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(stream), StandardCharsets.UTF_8), true);
    }

    /** One sentence instead of the whole usage, with a suggestion where there is one. */
    private static int explain(CommandLine.ParameterException e, String program) {
        CommandLine command = e.getCommandLine();
        command.getErr().println(program + ": " + e.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr().println("Try 'bin/" + program + " --help'.");
        }
        command.getErr().flush();
        return ExitCode.BAD_INPUT;
    }

    static int reportError(Exception e, CommandLine command, String program) {
        if (e instanceof UserException || e instanceof ConfigException || e instanceof PlanException) {
            command.getErr().println(e.getMessage());
            return ExitCode.BAD_INPUT;
        }
        if (e instanceof ResultFileException) {
            command.getErr().println(program + ": " + e.getMessage());
            return ExitCode.BAD_INPUT;
        }
        command.getErr().println(program + ": an error that should not happen: " + e);
        e.printStackTrace(command.getErr());
        return ExitCode.FAILED;
    }
}
