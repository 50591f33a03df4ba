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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to workers and receives answers, over connections of its own. There is one instance for steps and one
 * for heartbeats, so that neither waits for the other. Thread-safe.
 */
final class WorkerCalls implements AutoCloseable {

    private static final long GIVE_UP_AGAIN_MS = 20;
    private static final long LOOK_MS = 100;

    /** Few, because they only pass answers on. */
    private static final int THREADS = 2;

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
        return send(request(url, path, timeouts.of(WorkerTimeout.ANSWER)).GET().build());
    }

    /** Sends a request of a session, or one that starts it. */
    Reply post(WorkerUrl url, String path, @Nullable String session, byte[] body)
            throws IOException, InterruptedException {
        return send(post(url, path, session, body, timeouts.of(WorkerTimeout.ANSWER)));
    }

    /**
     * Sends a step. If the thread is interrupted, this gives up the step, waits until the worker knows that, and
     * returns with the interrupt status set: a newer step must not overtake it.
     *
     * @param lost returns true if the worker is lost, which ends the wait
     */
    Reply postStep(WorkerUrl url, String path, String session, byte[] body, BooleanSupplier lost) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> response = http.sendAsync(
                post(url, path, session, body, timeouts.of(WorkerTimeout.ANSWER)), BodyHandlers.ofByteArray());
        CompletableFuture<Integer> givenUp = null;
        try {
            while (true) {
                try {
                    return reply(response.get(LOOK_MS, TimeUnit.MILLISECONDS));
                } catch (TimeoutException e) {
                    if (lost.getAsBoolean()) {
                        response.cancel(true);
                        throw new IOException("the worker was lost during the request", e);
                    }
                } catch (InterruptedException e) {
                    if (givenUp == null) {
                        givenUp = giveUp(url, path, session, response);
                    }
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
                }
            }
        } finally {
            if (givenUp != null) {
                givenUp.cancel(true);
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Repeats the request until the worker knows the step, since it may overtake the step. */
    private CompletableFuture<Integer> giveUp(WorkerUrl url, String path, String session, CompletableFuture<?> step) {
        HttpRequest request = request(url, path, timeouts.of(WorkerTimeout.ANSWER))
                .header(Paths.SESSION, session)
                .DELETE()
                .build();
        Executor later = CompletableFuture.delayedExecutor(GIVE_UP_AGAIN_MS, TimeUnit.MILLISECONDS, threads);
        return http.sendAsync(request, BodyHandlers.discarding())
                .thenApplyAsync(HttpResponse::statusCode, later)
                .thenCompose(status -> status == Paths.UNKNOWN && !step.isDone()
                        ? giveUp(url, path, session, step)
                        : CompletableFuture.completedFuture(status));
    }

    /** Sends a request without waiting for the answer. */
    CompletableFuture<Reply> postAsync(WorkerUrl url, String path, String session, Duration limit) {
        return http.sendAsync(post(url, path, session, new byte[0], limit), BodyHandlers.ofByteArray())
                .thenApply(WorkerCalls::reply);
    }

    private static HttpRequest post(WorkerUrl url, String path, @Nullable String session, byte[] body, Duration limit) {
        HttpRequest.Builder request = request(url, path, limit).POST(BodyPublishers.ofByteArray(body));
        if (session != null) {
            request.header(Paths.SESSION, session);
        }
        return request.build();
    }

    private static HttpRequest.Builder request(WorkerUrl url, String path, Duration limit) {
        return HttpRequest.newBuilder(url.path(path)).timeout(limit);
    }

    private Reply send(HttpRequest request) throws IOException, InterruptedException {
        return reply(http.send(request, BodyHandlers.ofByteArray()));
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
