package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks an exporter for Prometheus at a fixed pace, on a thread of its own: a target that is slow or hangs delays nothing
 * else. What was answered since the last reading is what {@link #read()} returns.
 */
public final class ExporterProbe implements ResourceProbe {

    /** The largest exporters of brokers answer with a few megabytes. */
    private static final int MAX_BYTES = 16 << 20;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private static final int OK = 200;

    /** An answer that cannot be used. */
    private static final class AnswerException extends Exception {
        private static final long serialVersionUID = 1L;

        AnswerException(String message) {
            super(message);
        }
    }

    private final String name;
    private final Role role;
    private final URI target;
    private final SeriesMapping mapping = SeriesMapping.shipped();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();
    private final AtomicReference<@Nullable EnumMap<Figure, Double>> latest = new AtomicReference<>();
    private final Set<Figure> leftOut;
    private final Duration answerLimit;

    /** One asks, the other ends an answer that does not end by itself. */
    private final ScheduledExecutorService threads;

    private volatile int attempts;
    private volatile int failures;
    private volatile String lastFailure = "";

    /**
     * Begins to ask.
     *
     * @param leftOut figures that are read in another way, and would be counted twice
     */
    public ExporterProbe(String name, Role role, URI target, Duration every, Set<Figure> leftOut) {
        this(name, role, target, every, leftOut, ANSWER_LIMIT);
    }

    ExporterProbe(String name, Role role, URI target, Duration every, Set<Figure> leftOut, Duration answerLimit) {
        this.leftOut = leftOut;
        this.name = name;
        this.role = role;
        this.target = target;
        this.answerLimit = answerLimit;
        this.threads = Executors.newScheduledThreadPool(2, task -> {
            Thread created = new Thread(task, "exporter " + name);
            created.setDaemon(true);
            return created;
        });
        var unused = threads.scheduleWithFixedDelay(this::ask, 0, Math.max(1, every.toMillis()), TimeUnit.MILLISECONDS);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Role role() {
        return role;
    }

    /** Only this thread writes the counts. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void ask() {
        attempts++;
        try {
            EnumMap<Figure, Double> figures = mapping.figures(PrometheusText.parse(answer()));
            figures.keySet().removeAll(leftOut);
            latest.set(figures);
        } catch (IOException | AnswerException | PrometheusText.FormatException | RuntimeException e) {
            failures++;
            lastFailure = e.getMessage() == null ? e.toString() : e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String answer() throws IOException, InterruptedException, AnswerException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(answerLimit)
                .header("Accept", "text/plain;version=0.0.4")
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != OK) {
                throw new AnswerException("it answered with status " + response.statusCode());
            }
            // The client's own limit ends with the headers.
            AtomicBoolean givenUp = new AtomicBoolean();
            Future<?> end =
                    threads.schedule(() -> giveUp(body, givenUp), answerLimit.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return readBounded(body);
            } catch (IOException e) {
                if (givenUp.get()) {
                    throw new AnswerException("its answer did not end within " + answerLimit.toMillis() + " ms");
                }
                throw e;
            } finally {
                end.cancel(false);
            }
        }
    }

    private static void giveUp(InputStream body, AtomicBoolean givenUp) {
        givenUp.set(true);
        try {
            body.close();
        } catch (IOException e) {
            // It is given up anyway.
        }
    }

    private static String readBounded(InputStream body) throws IOException, AnswerException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (bytes.length <= MAX_BYTES) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        throw new AnswerException("its answer is larger than " + (MAX_BYTES >> 20) + " MB");
    }

    @Override
    public EnumMap<Figure, Double> read() {
        EnumMap<Figure, Double> answered = latest.getAndSet(null);
        return answered == null ? new EnumMap<>(Figure.class) : answered;
    }

    @Override
    public Optional<String> problem() {
        return failures == 0
                ? Optional.empty()
                : Optional.of(target + ": " + failures + " of " + attempts + " times without figures: " + lastFailure);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
