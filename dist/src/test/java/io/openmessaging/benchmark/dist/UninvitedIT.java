package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A worker with a key, and those who have none, while a run goes on. */
class UninvitedIT extends WithBenchmark {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int ATTEMPTS = 10;
    private static final int CONNECTIONS = 200;
    private static final int GARBAGE_BYTES = 1_000;
    private static final int DATAGRAMS = 500;

    /** The same garbage each time. */
    private static final long SEED = 15;

    private void newKey(String file) throws Exception {
        Process made = benchmark.start(List.of(), "bin/benchmark-worker", "key-", "--new-key", file);
        assertThat(made.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(made.exitValue())
                .as(Files.readString(folder.resolve("key-err")))
                .isZero();
    }

    /** What a coordinator is told that may not use the worker; on a busy machine that takes more than one attempt. */
    private String refused(String name, String... how) throws Exception {
        String told = asked(name, how);
        for (int i = 1; i < ATTEMPTS && told.contains("(--worker-limit "); i++) {
            told = asked(name, how);
        }
        return told;
    }

    private String asked(String name, String... how) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(how));
        arguments.addAll(List.of("--brokers", "external", "-d", "redis.yaml", "workload.yaml"));
        Process process = benchmark.start(List.of(), "bin/benchmark", name, arguments.toArray(String[]::new));
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String printed = Files.readString(folder.resolve(name + "err"));
        assertThat(process.exitValue()).as(printed).isEqualTo(2);
        assertThat(printed).contains("benchmark: ").doesNotContain("\tat ");
        return printed;
    }

    @Test
    void whoHasNoKeyIsRefusedAndDisturbsNoRun() throws Exception {
        newKey("bench.key");
        newKey("other.key");
        benchmark.file("redis.yaml", Files.readString(Benchmark.HOME.resolve("driver-redis/redis.yaml")));
        benchmark.file("workload.yaml", ONE_OF_EACH + """
                producerRate: 300
                warmupDuration: 1s
                testDuration: 10s
                samplePeriod: 1s
                """);
        try (WorkerProcess worker =
                WorkerProcess.start(benchmark, List.of(), "worker", "--port", "0", "--key", "bench.key")) {
            URI url = URI.create(worker.url());
            Process run = benchmark.start(
                    "--workers",
                    worker.url(),
                    "--key",
                    "bench.key",
                    "--brokers",
                    "local",
                    "-d",
                    "redis.yaml",
                    "workload.yaml");
            Waiting.until("it measures", LIMIT, () -> benchmark.printed().contains("\nmeasure"));

            crowd(new InetSocketAddress(url.getHost(), url.getPort()));
            assertThat(refused("other-", "--workers", worker.url(), "--key", "other.key"))
                    .contains("key; copy one ", "to all machines");
            assertThat(refused("plain-", "--workers", worker.url().replace("https://", "http://")))
                    .contains("use https:// and --key");
            assertThat(refused("none-", "--workers", worker.url())).contains("needs --key FILE");

            Benchmark.Outcome outcome = benchmark.await(run, LIMIT);
            benchmark.assertRan(outcome);
            JsonNode result = benchmark.result();
            assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
            assertThat(result.path("errors").toString()).as(outcome.all()).isIn("[]", "{}", "");
            assertThat(result.path("workers").path(0).path("lost").isNull()).isTrue();
        }
        assertNothingSecretIsLogged();
    }

    /** Connections that say nothing, half a request in plain text, or garbage; and datagrams of garbage. */
    private static void crowd(InetSocketAddress worker) throws IOException {
        Random random = new Random(SEED);
        byte[] garbage = new byte[GARBAGE_BYTES];
        List<Socket> open = new ArrayList<>();
        try (DatagramSocket datagrams = new DatagramSocket()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket();
                open.add(socket);
                socket.connect(worker, (int) LIMIT.toMillis());
                random.nextBytes(garbage);
                say(socket, i % 3 == 0 ? new byte[0] : i % 3 == 1 ? garbage : half());
            }
            for (int i = 0; i < DATAGRAMS; i++) {
                random.nextBytes(garbage);
                datagrams.send(new DatagramPacket(garbage, 1 + i, worker));
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static byte[] half() {
        return "POST /claim HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n{"
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void say(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            // The worker has hung up.
        }
    }

    /** Keys and sessions are long runs of hexadecimal digits; what is known of processes in public is shorter. */
    private void assertNothingSecretIsLogged() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("results"))) {
            List<Path> logs = files.filter(file -> file.getFileName().toString().startsWith("benchmark-worker-"))
                    .toList();
            assertThat(logs).hasSize(1);
            assertThat(Files.readString(logs.get(0)))
                    .contains("Claimed for ")
                    .doesNotContainPattern("[0-9a-fA-F]{32}")
                    .doesNotContain("PRIVATE");
        }
    }
}
