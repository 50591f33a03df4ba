package io.openmessaging.benchmark.dist;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code bin/benchmark-worker} process of a test. */
final class WorkerProcess implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("ready at (https?://[^\\s,]+)");

    private final Process process;
    private final String url;

    private WorkerProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts a worker that listens on any free port of the loopback. */
    static WorkerProcess start(Benchmark benchmark, String name) throws IOException {
        return start(benchmark, List.of(), name, "--port", "0");
    }

    /**
     * Starts a worker.
     *
     * @param prefix words before the command, such as those that run it on another machine
     * @param name prefix of the names of its output files
     */
    static WorkerProcess start(Benchmark benchmark, List<String> prefix, String name, String... arguments)
            throws IOException {
        return of(benchmark, benchmark.start(prefix, "bin/benchmark-worker", name + "-", arguments), name);
    }

    /**
     * Waits for a worker that was started.
     *
     * @param name prefix of the names of its output files, before a hyphen
     */
    static WorkerProcess of(Benchmark benchmark, Process process, String name) throws IOException {
        Path out = benchmark.folder().resolve(name + "-out");
        boolean ready = false;
        try {
            Waiting.until(name + " is ready", () -> Files.readString(out).contains("ready at"));
            Matcher matcher = READY.matcher(Files.readString(out));
            if (!matcher.find()) {
                throw new IOException("no address in " + Files.readString(out));
            }
            ready = true;
            return new WorkerProcess(process, matcher.group(1));
        } finally {
            if (!ready) {
                process.destroy();
            }
        }
    }

    String url() {
        return url;
    }

    long pid() {
        return process.pid();
    }

    /** The worker's page for people. */
    String page() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/"))
                .timeout(Patience.LIMIT)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            Patience.exitCode("a worker", process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
