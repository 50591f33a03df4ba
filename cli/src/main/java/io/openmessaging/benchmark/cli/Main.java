package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Signals;
import io.openmessaging.benchmark.cli.process.Spelling;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Starts {@code bin/benchmark}. */
public final class Main {

    private static final Pattern CHOICES = Pattern.compile("expected one of \\[[A-Z_, ]+]");

    private Main() {}

    /** Ends the process with an {@link ExitCode}. */
    public static void main(String[] args) {
        refuseUnspelt("benchmark", args);
        poolFutures();
        StopSignal stop = new StopSignal();
        Signals.install(stop);
        System.exit(commandLine(stop, Path.of(""), args).execute(args));
    }

    /**
     * Lets the JDK's futures share threads where it would start a thread for each task: with two processors or fewer.
     * Each answer of a worker is such a task, so threads took a quarter of a coordinator's processor time. Has no effect
     * once a future was used.
     */
    public static void poolFutures() {
        String parallelism = "java.util.concurrent.ForkJoinPool.common.parallelism";
        if (Runtime.getRuntime().availableProcessors() <= 2 && System.getProperty(parallelism) == null) {
            System.setProperty(parallelism, "2");
        }
    }

    /**
     * Ends the process if its locale cannot represent the arguments. Loads no class that would fail because of that.
     */
    public static void refuseUnspelt(String program, String... args) {
        Spelling.problem(program, args).ifPresent(problem -> {
            utf8(FileDescriptor.err).println(problem);
            System.exit(ExitCode.BAD_INPUT);
        });
    }

    /**
     * Returns the command for these arguments.
     *
     * @param currentFolder folder of the results
     */
    static CommandLine commandLine(StopSignal stop, Path currentFolder, String... args) {
        Subcommands subcommands = new Subcommands(stop, currentFolder);
        CommandLine command = new CommandLine(
                new BenchmarkCommand(subcommands.names(), named -> commandLine(stop, currentFolder, named)));
        command.getCommandSpec().usageMessage().footerHeading(subcommands.help());
        if (args.length > 0) {
            subcommands.add(args[0], command);
        }
        return configured(command, "benchmark")
                .setParameterExceptionHandler((e, given) -> explain(e, "benchmark", subcommands::withOption));
    }

    /**
     * Sets up a command's console and its error messages.
     *
     * @param program the name of its start script
     */
    public static CommandLine configured(CommandLine command, String program) {
        return command.setOut(utf8(FileDescriptor.out))
                .setErr(utf8(FileDescriptor.err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Path.class, Main::path)
                .setParameterExceptionHandler((e, args) -> explain(e, program, option -> Optional.empty()))
                .setExecutionExceptionHandler((e, failed, parsed) -> reportError(e, failed, program));
    }

    /** Writes UTF-8, since units such as µs have to be printed whatever the locale. */
    private static PrintWriter utf8(FileDescriptor stream) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(stream), StandardCharsets.UTF_8), true);
    }

    /**
     * Prints one sentence instead of the whole usage, with a suggestion if there is one.
     *
     * @param elsewhere returns the command that has an option
     */
    private static int explain(
            CommandLine.ParameterException e, String program, Function<String, Optional<String>> elsewhere) {
        CommandLine command = e.getCommandLine();
        String unmatched = unmatched(e);
        boolean option = unmatched.startsWith("-");
        boolean argument = !unmatched.isEmpty() && !option;
        command.getErr()
                .println(program + ": "
                        + (argument
                                ? "unexpected argument: '" + Problems.shown(unmatched) + "'"
                                : shown(inLowerCase(String.valueOf(e.getMessage())))));
        Optional<String> owner = option ? elsewhere.apply(unmatched.replaceFirst("=.*", "")) : Optional.empty();
        if (owner.isPresent()) {
            command.getErr().println("'" + unmatched + "' is an option of 'bin/" + program + " " + owner.get() + "'.");
        } else if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr().println("Try 'bin/" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        command.getErr().flush();
        return ExitCode.BAD_INPUT;
    }

    /** Converts a path; picocli's own message would name the Java class that fails. */
    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new CommandLine.TypeConversionException(reason(e));
        }
    }

    /** Returns a message with the choices that it lists as users write them; picocli lists names of constants. */
    private static String inLowerCase(String message) {
        return CHOICES.matcher(message).replaceFirst(found -> found.group().toLowerCase(Locale.ROOT));
    }

    /** Returns each line unchanged, except for control characters that a terminal would obey. */
    private static String shown(@Nullable String lines) {
        return String.valueOf(lines).lines().map(Problems::shown).collect(Collectors.joining("\n"));
    }

    private static String reason(InvalidPathException e) {
        return "'" + Problems.shown(e.getInput()) + "' is not a valid file path on this machine: " + e.getReason();
    }

    private static <T extends Throwable> @Nullable T find(Throwable error, Class<T> type) {
        for (Throwable at = error; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }

    /** Returns the first argument that no parameter accepts; empty if something else is wrong. */
    private static String unmatched(CommandLine.ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().get(0)
                : "";
    }

    static int reportError(Exception e, CommandLine command, String program) {
        if (e instanceof UserException || e instanceof ConfigException || e instanceof PlanException) {
            command.getErr().println(shown(e.getMessage()));
            return e instanceof UserException user ? user.exitCode() : ExitCode.BAD_INPUT;
        }
        if (e instanceof ResultFileException) {
            command.getErr().println(program + ": " + shown(e.getMessage()));
            return ExitCode.BAD_INPUT;
        }
        InvalidPathException path = find(e, InvalidPathException.class);
        if (path != null) {
            command.getErr().println(program + ": " + reason(path));
            return ExitCode.BAD_INPUT;
        }
        IOException unreadable = find(e, IOException.class);
        if (e instanceof UncheckedIOException && unreadable != null) {
            command.getErr().println(program + ": " + ResultFiles.reason(unreadable));
            return ExitCode.FAILED;
        }
        command.getErr().println(program + ": unexpected error, which should not happen: " + e);
        e.printStackTrace(command.getErr());
        return ExitCode.FAILED;
    }
}
