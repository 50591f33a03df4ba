package io.openmessaging.benchmark.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A program that was run until it ended, or for as long as it may take.
 *
 * @param exitCode empty if it had not ended in time and was killed
 * @param output the lines that it has printed, errors among them; bytes that are no text do no harm
 */
public record ProgramRun(OptionalInt exitCode, List<String> output) {

    /** So much of the output is read, and no more. */
    private static final int MAX_OUTPUT_BYTES = 16 << 20;

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    /** Copies the list. */
    public ProgramRun {
        output = List.copyOf(output);
    }

    /**
     * Runs a program; one that is not waited for any longer is killed with what it has started. The output goes by a file: a
     * process that the program leaves behind may hold a pipe open.
     *
     * @param builder of the process, but for its input and output
     * @param input what the program reads
     * @throws IOException if it cannot be started, or does not take its input
     */
    public static ProgramRun of(ProcessBuilder builder, String input, Duration limit)
            throws IOException, InterruptedException {
        Path printed = Files.createTempFile("benchmark-program-", ".log");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            boolean ended;
            try {
                try (var pipe = process.getOutputStream()) {
                    pipe.write(input.getBytes(StandardCharsets.UTF_8));
                }
                ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                kill(process);
            }
            try (InputStream output = Files.newInputStream(printed)) {
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

    /** Whether it has ended with 0. */
    public boolean succeeded() {
        return exitCode.orElse(1) == 0;
    }
}
