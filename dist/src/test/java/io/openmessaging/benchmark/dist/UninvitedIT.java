package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A worker with a key, and clients that have none, during a run. */
@LongSuite("disturbs a run of ten seconds")
class UninvitedIT extends WithBenchmark {

    private static final int CONNECTIONS = 200;
    private static final int GARBAGE_BYTES = 1_000;
    private static final int DATAGRAMS = 500;

    /** Fixed, so that the garbage is the same each time. */
    private static final long SEED = 15;

    private void newKey(String file) throws Exception {
        Process made = benchmark.start(List.of(), "bin/benchmark-worker", "key-", "--new-key", file);
        Benchmark.Outcome outcome = benchmark.await(made, "key-");
        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
    }

    /** The message to a coordinator that may not use the worker, however long that takes on a busy machine. */
    private String refused(String... how) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(how));
        arguments.addAll(List.of(
                "--worker-limit",
                "connect=5m",
                "--worker-limit",
                "answer=5m",
                "--brokers",
                "external",
                "--drivers",
                "redis"));
        arguments.add(folder.resolve("workload.yaml").toString());
        Benchmark.Outcome outcome = benchmark.runInProcess(arguments.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(2);
        assertThat(outcome.err()).contains("benchmark: ").doesNotContain("\tat ");
        return outcome.err();
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
            benchmark.awaitPrinted(run, "\nmeasure");

            crowd(new InetSocketAddress(url.getHost(), url.getPort()));
            assertThat(refused(
                            "--workers",
                            worker.url(),
                            "--key",
                            folder.resolve("other.key").toString()))
                    .contains("key; copy one ", "to all machines");
            assertThat(refused("--workers", worker.url().replace("https://", "http://")))
                    .contains("use https:// and --key");
            assertThat(refused("--workers", worker.url())).contains("needs --key FILE");

            Benchmark.Outcome outcome = benchmark.await(run);
            benchmark.assertRan(outcome);
            JsonNode result = benchmark.result();
            assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
            assertThat(result.path("errors").toString()).as(outcome.all()).isIn("[]", "{}", "");
            assertThat(result.path("workers").path(0).path("lost").isNull()).isTrue();
        }
        assertNothingSecretIsLogged();
    }

    /**
     * Opens connections that send nothing, half a request in plain text, or garbage; and sends datagrams of garbage.
     */
    private static void crowd(InetSocketAddress worker) throws IOException {
        Random random = new Random(SEED);
        byte[] garbage = new byte[GARBAGE_BYTES];
        List<Socket> open = new ArrayList<>();
        try (DatagramSocket datagrams = new DatagramSocket()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket();
                open.add(socket);
                socket.connect(worker, (int) Patience.LIMIT.toMillis());
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
            // The worker has closed the connection.
        }
    }

    /** Keys and sessions are long runs of hexadecimal digits; public facts about processes are shorter. */
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
