package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;

/** An exporter with arbitrary answers: each is a finding, and the run continues. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BadExporterIT {

    private static final int TOO_MUCH_MB = 50;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer server;

    enum Answer {
        GARBAGE("line 1 is not a sample: '<html>Not found</html>'"),
        STATUS_500("it answered with status 500"),
        FIFTY_MB("its answer is larger than 16 MB"),
        NOBODY_LISTENS(""),
        NOTHING("timed out");

        private final String reason;

        Answer(String reason) {
            this.reason = reason;
        }

        void give(HttpExchange exchange, CountDownLatch over) throws IOException {
            try (exchange) {
                switch (this) {
                    case NOTHING -> await(over);
                    case GARBAGE -> send(exchange, 200, "<html>Not found</html>\n", 1);
                    case STATUS_500 -> send(exchange, 500, "no", 1);
                    case FIFTY_MB ->
                        send(exchange, 200, "jvm_memory_used_bytes{area=\"heap\"} 12345\n", TOO_MUCH_MB << 20);
                    case NOBODY_LISTENS -> throw new IllegalStateException("somebody listens");
                }
            }
        }

        private static void await(CountDownLatch over) {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Sends the text once, and again until that many bytes are sent. */
        private static void send(HttpExchange exchange, int status, String text, int bytes) throws IOException {
            byte[] block = text.repeat(bytes < text.length() ? 1 : 10_000).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, 0);
            for (long sent = 0; sent < bytes; sent += block.length) {
                exchange.getResponseBody().write(block);
            }
        }
    }

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(serverThreads);
        server.start();
    }

    @AfterEach
    void putBack() {
        over.countDown();
        server.stop(0);
        serverThreads.shutdownNow();
        installation.close();
    }

    /** All answers occur in one run, which lasts until the slowest has timed out once and was requested again. */
    @Test
    void isAFindingAndTheRunGoesOn() throws Exception {
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        Map<Answer, String> targets = new EnumMap<>(Answer.class);
        Map<Answer, AtomicInteger> asked = new EnumMap<>(Answer.class);
        for (Answer answer : Answer.values()) {
            targets.put(answer, (answer == Answer.NOBODY_LISTENS ? "http://127.0.0.1:1/" : address) + answer);
            if (answer != Answer.NOBODY_LISTENS) {
                AtomicInteger times = new AtomicInteger();
                asked.put(answer, times);
                server.createContext("/" + answer, exchange -> {
                    times.incrementAndGet();
                    answer.give(exchange, over);
                });
            }
        }
        String driver = installation.file(
                "driver.yaml",
                TestInstallation.DRIVER,
                "metrics: {prometheus: ['" + String.join("', '", targets.values()) + "'], every: 100ms}");
        String workload = installation.file("workload.yaml", TestInstallation.ENDLESS, "samplePeriod: 1s");
        TestInstallation.Outcome outcome = installation.runUntil(
                "all are asked again",
                () -> asked.values().stream().allMatch(times -> times.get() >= 2),
                "-d",
                driver,
                workload);

        JsonNode result = installation.result();
        assertThat(result.path("verdict").asString())
                .as(outcome.out() + outcome.err())
                .isEqualTo("INTERRUPTED");
        List<JsonNode> findings = result.path("findings")
                .valueStream()
                .filter(each -> each.path("kind").asString().equals("MetricsNotRead"))
                .toList();
        assertThat(findings)
                .allSatisfy(each -> assertThat(each.path("severity").asString()).isEqualTo("NOTE"));
        targets.forEach((answer, target) -> assertThat(findings)
                .extracting(each -> each.path("text").asString())
                .anySatisfy(
                        text -> assertThat(text).contains(target + ": ", " readings have failed: ", answer.reason)));
    }
}
