package io.openmessaging.benchmark.broker.launch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program of this machine that is run to its end.
 *
 * @param name as the user knows it
 * @param command the command line
 * @param environment variables in addition to those of this process
 * @param directory where it runs
 * @param limit when it is killed, with all that it has started
 */
record Tool(String name, List<String> command, Map<String, String> environment, Path directory, Duration limit) {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    /** It did not do its work. The message says how it ended. */
    static final class FailedException extends Exception {

        private static final long serialVersionUID = 1L;

        FailedException(String message) {
            super(message);
        }
    }

    /**
     * Runs it.
     *
     * @param output the file that its output goes to
     */
    void run(Path output) throws IOException, InterruptedException, FailedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new FailedException(name + " did not end within " + limit.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new FailedException(name + " ended with exit code " + process.exitValue());
            }
        } finally {
            kill(process);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly()
                .onExit()
                .orTimeout(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** The last of these lines, blank ones aside, each indented and with a line break before it. */
    static String lastLines(List<String> lines, int count) {
        List<String> printed = lines.stream().filter(line -> !line.isBlank()).toList();
        return printed.stream()
                .skip(Math.max(0, printed.size() - count))
                .map(line -> "\n  " + line)
                .collect(Collectors.joining());
    }

    /** What a program has printed; bytes that are no text do no harm. */
    static List<String> lines(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
