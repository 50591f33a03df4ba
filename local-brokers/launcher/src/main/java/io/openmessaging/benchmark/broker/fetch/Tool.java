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
 * A program of this machine that is run to its end.
 *
 * @param name as the user knows it
 * @param command the command line, or the beginning of it
 * @param environment variables in addition to those of this process
 * @param directory where it runs
 * @param limit when it is killed, with all that it has started
 */
public record Tool(String name, List<String> command, Map<String, String> environment, Path directory, Duration limit) {

    private static final int LINES_SHOWN = 5;

    /** From there on Maven explains how to run Maven. */
    private static final String NO_REASON_FROM = "To see the full stack trace";

    /**
     * Runs it.
     *
     * @param arguments the rest of the command line
     * @return the lines that it has printed; bytes that are no text do no harm
     * @throws LocalBrokerException if it has not done its work, with the part of a sentence that says how it ended and
     *     what it has printed
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

    /** The last of the lines that tell a reason, as they stand behind a sentence about a failure. */
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
