package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.PrometheusText;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** An exporter for Prometheus. Whatever it answers, or fails to answer, takes limited time and memory. */
final class Exporter implements PolledProbe.Source {

    /** Limit of an answer's size; the largest exporters of brokers answer with a few megabytes. */
    private static final int MAX_BYTES = 16 << 20;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final Address target;
    private final Duration answerLimit;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();

    /** Creates an exporter that was not asked yet. */
    Exporter(Address target) {
        this(target, ANSWER_LIMIT);
    }

    Exporter(Address target, Duration answerLimit) {
        this.target = target;
        this.answerLimit = answerLimit;
    }

    @Override
    public List<Sample> ask() throws IOException, InterruptedException {
        return PrometheusText.parse(answer(), SeriesMapping.SHIPPED::isRead);
    }

    private String answer() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(target.uri(target.rest()))
                .timeout(answerLimit)
                .header("Accept", "text/plain;version=0.0.4")
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != OK) {
                throw new IOException("it answered with status " + response.statusCode());
            }
            // The client's own timeout only covers the headers.
            AtomicBoolean givenUp = new AtomicBoolean();
            CompletableFuture<Void> end = CompletableFuture.runAsync(
                    () -> giveUp(body, givenUp),
                    CompletableFuture.delayedExecutor(answerLimit.toMillis(), TimeUnit.MILLISECONDS));
            try {
                return readBounded(body);
            } catch (IOException e) {
                if (givenUp.get()) {
                    throw new IOException("its answer did not end within " + answerLimit.toMillis() + " ms", e);
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
            // The answer is abandoned anyway.
        }
    }

    private static String readBounded(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (bytes.length <= MAX_BYTES) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        throw new IOException("its answer is larger than " + (MAX_BYTES >> 20) + " MB");
    }

    @Override
    public void close() {
        // The asking thread is interrupted, and no resources are held between two answers.
    }
}
