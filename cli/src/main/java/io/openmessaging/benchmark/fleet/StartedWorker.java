package io.openmessaging.benchmark.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A worker that this process has started, here or through another program. It ends when its input ends, however this
 * process ends. Its output is read all the time, since a process that cannot print would block.
 */
final class StartedWorker {

    /** The option that makes a worker end with its input. */
    static final String UNTIL_INPUT_ENDS = "--until-input-ends";

    /**
     * Ctrl-C in a terminal reaches all foreground processes, but workers should end only when this process no longer
     * needs them. They stay in its session on purpose. Linux divides processors among sessions (autogroups, see
     * sched(7)): with a session for each worker, the same load would get more of the machine, and the broker less of
     * it, than in a single process.
     */
    private static final String DEAF = "trap '' HUP INT; exec \"$@\"";

    private static final Pattern READY = Pattern.compile(".*: ready at (https?://[^\\s,]+).*");

    /** Output of a process that has ended takes no longer to read. */
    private static final long OUTPUT_LIMIT_MS = 5000;

    private final Process process;
    private final Thread reader;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    /**
     * Starts a process that becomes a worker.
     *
     * @param line receives each line of output, on a thread of the worker's own
     */
    StartedWorker(ProcessBuilder builder, Consumer<String> line) throws IOException {
        this.process = builder.redirectErrorStream(true).start();
        this.reader = new Thread(() -> read(line), "worker-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns a command that runs another one without the signals of a terminal. */
    static List<String> deaf(List<String> command) {
        return Stream.concat(Stream.of("/bin/sh", "-c", DEAF, "sh"), command.stream())
                .toList();
    }

    private void read(Consumer<String> told) {
        StringBuilder printed = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.accept(line);
                Matcher matcher = READY.matcher(line);
                if (matcher.matches()) {
                    ready.complete(matcher.group(1));
                } else if (!ready.isDone()) {
                    printed.append(line).append(' ');
                }
            }
        } catch (IOException e) {
            printed.append(e.getMessage());
        }
        ready.completeExceptionally(new IOException(
                printed.isEmpty() ? "it ended" : printed.toString().strip()));
    }

    Process process() {
        return process;
    }

    /**
     * Waits until the worker is ready and returns its address; empty at the time limit.
     *
     * @throws IOException with what it printed if it ended before
     */
    Optional<String> awaitReady(Duration limit) throws IOException, InterruptedException {
        try {
            return Optional.of(ready.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (TimeoutException e) {
            return Optional.empty();
        }
    }

    /** Waits until the process has ended and its output was read; returns whether it has ended. */
    boolean awaitEnd(long limitNs) throws InterruptedException {
        boolean ended = process.waitFor(limitNs, TimeUnit.NANOSECONDS);
        if (ended) {
            reader.join(OUTPUT_LIMIT_MS);
        }
        return ended;
    }

    /** Ends the worker's input, whereupon it ends. */
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The worker has ended.
        }
    }
}
