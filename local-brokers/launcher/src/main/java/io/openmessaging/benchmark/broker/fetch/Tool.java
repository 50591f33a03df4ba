package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.program.ProgramRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program of this machine that runs to its end.
 *
 * @param name the name that the user knows
 * @param command the command line, or the start of it
 * @param environment variables in addition to those of this process
 * @param directory its working directory
 * @param limit the time after which it is killed, with all processes that it started
 */
public record Tool(String name, List<String> command, Map<String, String> environment, Path directory, Duration limit) {

    private static final int LINES_SHOWN = 5;

    /** After this text, Maven explains how to run Maven. */
    private static final String NO_REASON_FROM = "To see the full stack trace";

    /**
     * Runs the program.
     *
     * @param arguments the rest of the command line
     * @return the lines that it printed; bytes that are not text do no harm
     * @throws LocalBrokerException if it fails, with part of a sentence that says how it ended and what it printed
     */
    public List<String> run(String... arguments) throws IOException, InterruptedException, LocalBrokerException {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(command.stream(), Stream.of(arguments)).toList())
                .directory(directory.toFile());
        builder.environment().putAll(environment);
        ProgramRun run = ProgramRun.of(builder, "", limit);
        if (!run.succeeded()) {
            OptionalInt exitCode = run.exitCode();
            throw new LocalBrokerException(name
                    + (exitCode.isPresent()
                            ? " ended with exit code " + exitCode.getAsInt()
                            : " did not end within " + limit.toSeconds() + " s")
                    + saying(run.output()));
        }
        return run.output();
    }

    /** Formats the last lines that give a reason, to be appended to a sentence about a failure. */
    static String saying(List<String> lines) {
        List<String> reasons = lines.stream()
                .takeWhile(line -> !line.contains(NO_REASON_FROM))
                .filter(line -> !line.isBlank())
                .toList();
        return reasons.stream()
                .skip(Math.max(0, reasons.size() - LINES_SHOWN))
                .map(line -> "\n  " + line)
                .collect(Collectors.joining("", "; it says:", ""));
    }
}
