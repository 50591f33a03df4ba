package io.openmessaging.benchmark.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Result of a program that ran until it ended or its time limit was reached.
 *
 * @param exitCode empty if it did not end in time and was killed
 * @param output the lines that it printed, including errors; bytes that are not text are harmless
 */
public record ProgramRun(OptionalInt exitCode, List<String> output) {

    /** Limit for the output that is read; the rest is dropped. */
    private static final int MAX_OUTPUT_BYTES = 16 << 20;

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    public ProgramRun {
        output = List.copyOf(output);
    }

    /**
     * Runs a program; at the time limit, kills it with its descendants. The output goes through a file: a process that
     * the program leaves behind may hold a pipe open.
     *
     * @param builder of the process, without its input and output
     * @param input standard input of the program
     * @throws IOException if it cannot be started, or does not take its input
     */
    public static ProgramRun of(ProcessBuilder builder, String input, Duration limit)
            throws IOException, InterruptedException {
        Path printed = Files.createTempFile("benchmark-program-", ".log");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            // The file loses its name now, while it is open here and there: nothing is left if this process is killed.
            try (InputStream output = Files.newInputStream(printed, StandardOpenOption.DELETE_ON_CLOSE)) {
                boolean ended;
                try {
                    try (var pipe = process.getOutputStream()) {
                        pipe.write(input.getBytes(StandardCharsets.UTF_8));
                    }
                    ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
                } finally {
                    kill(process);
                }
                String text = new String(output.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8);
                return new ProgramRun(
                        ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(),
                        text.lines().toList());
            }
        } finally {
            Files.deleteIfExists(printed);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly()
                .onExit()
                .orTimeout(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Returns whether the exit code is 0. */
    public boolean succeeded() {
        return exitCode.orElse(1) == 0;
    }
}
