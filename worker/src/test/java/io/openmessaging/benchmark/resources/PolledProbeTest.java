package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PolledProbeTest {

    private static final Duration EVERY = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMillis(500);

    private static final int TOO_MUCH_MB = 50;

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();

    @SuppressWarnings("NullAway.Init") // before each test
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(serverThreads);
        server.start();
    }

    @AfterEach
    void stopServer() {
        over.countDown();
        server.stop(0);
        serverThreads.shutdownNow();
    }

    private PolledProbe probe(HttpHandler handler) {
        return probe(handler, Patience.LIMIT);
    }

    private PolledProbe probe(HttpHandler handler, Duration limit) {
        server.createContext("/metrics", handler);
        return probe(server.getAddress().getPort(), limit);
    }

    private static PolledProbe probe(int port, Duration limit) {
        Address target = target(port);
        return new PolledProbe(
                "broker", Role.BROKER, target + target.rest(), new Exporter(target, limit), EVERY, Set.of());
    }

    private static Address target(int port) {
        return new Address("http", "", "127.0.0.1", port, "/metrics");
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String problemOf(PolledProbe probe) {
        Patience.until("a problem", () -> probe.problem().isPresent());
        assertThat(probe.read()).isEmpty();
        return probe.problem().orElseThrow();
    }

    @Test
    void tellsWhatTheTargetAnswers() {
        try (PolledProbe probe = probe(exchange -> answer(exchange, 200, "process_cpu_seconds_total 2\n"))) {
            Patience.until(
                    "an answer", () -> Double.valueOf(2e9).equals(probe.read().get(Figure.CPU_CORE_PERCENT)));
            assertThat(probe.problem()).isEmpty();
            assertThat(probe.name()).isEqualTo("broker");
            assertThat(probe.role()).isEqualTo(Role.BROKER);
        }
    }

    @Test
    void anAnswerIsReadOnce() throws InterruptedException {
        CountDownLatch second = new CountDownLatch(2);
        try (PolledProbe probe = probe(exchange -> {
            second.countDown();
            if (second.getCount() == 0) {
                awaitOver();
            }
            answer(exchange, 200, "process_open_fds 7\n");
        })) {
            Patience.await("a second question", second);
            EnumMap<Figure, Double> first = probe.read();
            assertThat(first).containsEntry(Figure.OPEN_FILES, 7.0);
            assertThat(probe.read()).isEmpty();
        }
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void garbageIsAProblem() {
        try (PolledProbe probe = probe(exchange -> answer(exchange, 200, "<html>Not found</html>"))) {
            assertThat(problemOf(probe))
                    .startsWith("http://127.0.0.1:")
                    .endsWith("readings have failed: line 1 is not a sample: '<html>Not found</html>'");
        }
    }

    @Test
    void anErrorIsAProblem() {
        try (PolledProbe probe = probe(exchange -> answer(exchange, 500, "no"))) {
            assertThat(problemOf(probe)).endsWith("it answered with status 500");
        }
    }

    @Test
    void nobodyThereIsAProblem() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (PolledProbe probe = probe(port, LIMIT)) {
            assertThat(problemOf(probe)).contains("readings have failed: ");
        }
    }

    @Test
    void noAnswerIsAProblem() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PolledProbe probe = probe(silent.getLocalPort(), LIMIT)) {
            assertThat(problemOf(probe)).contains("timed out");
        }
    }

    @Test
    void anAnswerThatDoesNotEndIsAProblem() {
        try (PolledProbe probe = probe(
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write('a');
                    exchange.getResponseBody().flush();
                    awaitOver();
                },
                LIMIT)) {
            // On a busy machine, the answer may not even start within that time.
            Patience.until(
                    "a problem with its end",
                    () -> probe.problem().orElse("").endsWith("its answer did not end within 500 ms"));
        }
    }

    @Test
    void anAnswerThatIsTooLargeIsNotReadToItsEnd() {
        try (PolledProbe probe = probe(exchange -> {
            byte[] block = "a_series_of_something{label=\"value\"} 12345678\n"
                    .repeat(1 << 14)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                for (long sent = 0; sent < (long) TOO_MUCH_MB << 20; sent += block.length) {
                    exchange.getResponseBody().write(block);
                }
            }
        })) {
            assertThat(problemOf(probe)).endsWith("its answer is larger than 16 MB");
        }
    }
}
