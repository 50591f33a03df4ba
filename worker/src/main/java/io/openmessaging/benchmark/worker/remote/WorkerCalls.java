package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to workers and receives answers, over connections of its own. There is one instance for steps and one
 * for heartbeats, so that neither waits for the other. Thread-safe.
 */
final class WorkerCalls implements AutoCloseable {

    /** Few, because they only read answers; what follows from an answer runs elsewhere, see {@link #send}. */
    private static final int THREADS = 2;

    /** The body of a request without one. */
    static final byte[] NOTHING = {};

    /**
     * An answer of a worker.
     *
     * @param status a status from {@link Paths}
     * @param incarnation incarnation of the process that answered; empty if it was no worker
     */
    record Reply(int status, String incarnation, byte[] body) {

        boolean is(int expected) {
            return status == expected;
        }

        <T> T read(Class<T> type) {
            return Wire.read(body, type);
        }

        /** The body, if it is a sentence. */
        String text() {
            return new String(body, StandardCharsets.UTF_8).strip();
        }

        /** The reason of a refusal, for people. */
        String refusal() {
            return incarnation.isEmpty()
                    ? "the server there is not a worker of this project (it answers " + status + ")"
                    : text();
        }
    }

    private final ExecutorService threads;
    private final HttpClient http;
    private final WorkerTimeouts timeouts;

    /**
     * Creates an instance without opening a connection.
     *
     * @param name name of the threads
     * @param key key of both sides; null if only plain HTTP is used
     */
    WorkerCalls(String name, @Nullable KeyFile key, WorkerTimeouts timeouts) {
        AtomicInteger made = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.timeouts = timeouts;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .executor(threads)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(timeouts.of(WorkerTimeout.CONNECT));
        if (key != null) {
            builder.sslContext(key.context()).sslParameters(key.parameters());
        }
        this.http = builder.build();
    }

    /** Sends a query that changes nothing. */
    Reply get(WorkerUrl url, String path) throws IOException, InterruptedException {
        return await(send("GET", url, path, null, NOTHING, answerLimit()));
    }

    /** Sends a request of a session, or one that starts it, and waits for the answer. */
    Reply post(WorkerUrl url, String path, @Nullable String session, byte[] body)
            throws IOException, InterruptedException {
        return await(send("POST", url, path, session, body, answerLimit()));
    }

    private static Reply await(CompletableFuture<Reply> answer) throws IOException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw error(e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private Duration answerLimit() {
        return timeouts.of(WorkerTimeout.ANSWER);
    }

    /** Returns the reason why a reply has failed. */
    static IOException error(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof IOException error ? error : new IOException(cause);
    }

    /**
     * Sends a request without waiting for the answer.
     *
     * @param limit time until the answer begins, and again until it is complete
     * @return the answer; fails if none arrives, see {@link #error}. It arrives on one of the JDK's threads of futures,
     *     which must not be blocked
     */
    CompletableFuture<Reply> send(
            String method, WorkerUrl url, String path, @Nullable String session, byte[] body, Duration limit) {
        CompletableFuture<HttpResponse<byte[]>> exchange =
                http.sendAsync(request(method, url, path, session, body, limit), BodyHandlers.ofByteArray());
        // The limit of a request ends with the headers of its answer. What it finds comes first, for its reasons.
        return exchange.thenApply(WorkerCalls::reply)
                .orTimeout(2 * limit.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> {
                    if (!(failure instanceof TimeoutException)) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    exchange.cancel(true);
                    return CompletableFuture.failedFuture(new HttpTimeoutException("the answer does not end"));
                });
    }

    private static HttpRequest request(
            String method, WorkerUrl url, String path, @Nullable String session, byte[] body, Duration limit) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.path(path))
                .timeout(limit)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (session != null) {
            request.header(Paths.SESSION, session);
        }
        return request.build();
    }

    private static Reply reply(HttpResponse<byte[]> response) {
        return new Reply(
                response.statusCode(),
                response.headers().firstValue(Paths.INCARNATION).orElse(""),
                response.body());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
