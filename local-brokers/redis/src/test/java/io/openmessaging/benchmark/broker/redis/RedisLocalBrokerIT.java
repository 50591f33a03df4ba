package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import io.openmessaging.benchmark.broker.launch.ProgramPath;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the real Redis, of this machine or of packages fetched on first use into the checkout's own cache. */
@Timeout(300)
class RedisLocalBrokerIT {

    private static final Path HOME = Path.of(System.getProperty("benchmark.home"));

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    @Test
    void servesClientsAndLeavesNothingAfterClose() throws Exception {
        RunningBroker broker = new RedisLocalBroker().start(options(0, Map.of()));
        try (broker;
                RedisConnection redis = RedisConnection.to(broker)) {
            assertThat(broker.product()).isIn("Redis", "Valkey");
            assertThat(broker.version()).matches("\\d+\\.\\d+.*");
            assertThat(broker.settings())
                    .containsEntry("save", "")
                    .containsEntry("appendonly", "no")
                    .containsEntry("nodes", "1");
            assertThat(redis.call("XADD", "stream", "*", "payload", "hello")).hasSize(1);
            assertThat(redis.call("XLEN", "stream")).containsExactly(":1");
            assertThat(redis.call("CONFIG", "GET", "save")).containsExactly("save", "");
            assertThat(redis.call("CONFIG", "GET", "appendonly")).containsExactly("appendonly", "no");
            assertThat(redis.call("CONFIG", "GET", "bind")).containsExactly("bind", "127.0.0.1");
            assertThat(broker.failure()).isEmpty();
            assertThat(broker.nodes()).singleElement().satisfies(node -> {
                assertThat(node.name()).isEqualTo("redis-1");
                assertThat(node.log()).content().contains("Ready to accept connections");
                assertThat(folder().resolve("redis-1/data/redis.pid")).hasContent(Long.toString(node.pid()));
            });
        }

        assertThat(ProcessHandle.of(broker.nodes().get(0).pid())).isEmpty();
        assertNobodyListens(port(broker));
        assertThat(folder()).doesNotExist();
        awaitNoProcessNamesTheFolder();
    }

    @Test
    void theUsersSettingsAreInForceAndTold() throws Exception {
        Map<String, String> settings = Map.of(
                "appendonly", "yes",
                "appendfsync", "always",
                "client-output-buffer-limit", "pubsub 1mb 512kb 5",
                "maxmemory", "100mb",
                "requirepass", "secret");
        try (RunningBroker broker = new RedisLocalBroker().start(options(0, settings));
                RedisConnection redis = RedisConnection.to(broker)) {
            assertThat(broker.settings()).containsAllEntriesOf(settings).containsEntry("save", "");
            assertThat(redis.call("PING")).singleElement().asString().startsWith("-NOAUTH");
            assertThat(redis.call("AUTH", "secret")).containsExactly("+OK");
            assertThat(redis.call("CONFIG", "GET", "appendfsync")).containsExactly("appendfsync", "always");
            assertThat(redis.call("CONFIG", "GET", "maxmemory")).containsExactly("maxmemory", "104857600");
            assertThat(redis.call("CONFIG", "GET", "client-output-buffer-limit").get(1))
                    .endsWith("pubsub 1048576 524288 5");
            assertThat(folder().resolve("redis-1/data/appendonlydir")).isNotEmptyDirectory();
        }
    }

    @Test
    void anEntryThatRedisDoesNotKnowEndsTheStartWithItsReason() {
        assertThatThrownBy(() -> new RedisLocalBroker().start(options(0, Map.of("append-only", "yes"))))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("redis-1 (pid ")
                .hasMessageContaining("append-only")
                .hasMessageContaining("Bad directive");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            assertThatThrownBy(() -> new RedisLocalBroker().start(options(taken.getLocalPort(), Map.of())))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void runsFromUnpackedPackagesWhereItIsNotInstalled() throws Exception {
        Path programs = Files.createDirectory(temp.resolve("programs"));
        for (String program : List.of("apt-get", "dpkg")) {
            Path there = ProgramPath.ofThisMachine().find(program).orElseThrow();
            Path here = Files.writeString(programs.resolve(program), "#!/bin/sh\nexec " + there + " \"$@\"\n");
            assertThat(here.toFile().setExecutable(true)).isTrue();
        }
        ProgramPath withoutRedis = new ProgramPath(List.of(programs));

        try (RunningBroker broker = new RedisLocalBroker(withoutRedis).start(options(0, Map.of()));
                RedisConnection redis = RedisConnection.to(broker)) {
            assertThat(redis.call("PING")).containsExactly("+PONG");
            assertThat(ProcessHandle.of(broker.nodes().get(0).pid())
                            .orElseThrow()
                            .info()
                            .command()
                            .orElseThrow())
                    .startsWith(HOME.toRealPath().resolve(".brokers/packages/redis") + "/");
        }
    }

    @Test
    void killedStarterLeavesNoProcessAndNoFolder() throws Exception {
        Process starter = startStarter(Lifetime.WITH_STARTER);
        String[] pidAndPort = starter.inputReader().readLine().split(" ");

        starter.destroyForcibly().waitFor();

        awaitEnd(Long.parseLong(pidAndPort[0]));
        await("removal of the folder").atMost(LIMIT).until(() -> !Files.exists(folder()));
        // The system takes the program away from a process that ends before it closes its sockets.
        await("end of the listener")
                .atMost(LIMIT)
                .untilAsserted(() -> assertNobodyListens(Integer.parseInt(pidAndPort[1])));
        awaitNoProcessNamesTheFolder();
    }

    @Test
    void livesOnUntilItIsToldToEndIfItIsToDoSo() throws Exception {
        Process starter = startStarter(Lifetime.UNTIL_STOPPED);
        String[] pidAndPort = starter.inputReader().readLine().split(" ");

        starter.destroyForcibly().waitFor();

        // What watched the starter is gone, with no harm done, and only then Redis is asked to end.
        awaitNoProcessNamesTheFolder();
        int port = Integer.parseInt(pidAndPort[1]);
        assertThat(RedisProbe.serves(port)).isTrue();
        long pid = Long.parseLong(pidAndPort[0]);
        assertThat(ProcessHandle.of(pid).orElseThrow().destroy()).isTrue();
        awaitEnd(pid);
        assertThat(folder().resolve("redis-1/redis-1.log")).content().contains("Redis is now ready to exit");
    }

    private Process startStarter(Lifetime lifetime) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedisStarter.class.getName(),
                        HOME.toString(),
                        folder().toString(),
                        lifetime.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private LocalBrokerOptions options(int firstPort, Map<String, String> settings) {
        return new LocalBrokerOptions(
                1, null, HOME, folder(), firstPort, Lifetime.WITH_STARTER, System.out::println, settings);
    }

    private Path folder() {
        return temp.resolve("redis");
    }

    private static int port(RunningBroker broker) {
        return Integer.parseInt(broker.addresses().get(0).split(":")[1]);
    }

    private static void assertNobodyListens(int port) {
        assertThatThrownBy(() -> new Socket(LoopbackPorts.HOST, port).close()).isInstanceOf(ConnectException.class);
    }

    private static void awaitEnd(long pid) {
        await("end of process " + pid)
                .atMost(LIMIT)
                .until(() -> ProcessHandle.of(pid)
                        .filter(process -> process.info().command().isPresent())
                        .isEmpty());
    }

    /** Redis itself shows its address in the place of its command line. */
    private void awaitNoProcessNamesTheFolder() {
        await("end of what watches the starter")
                .atMost(LIMIT)
                .until(() -> ProcessHandle.allProcesses()
                        .flatMap(process -> process.info().commandLine().stream())
                        .noneMatch(line ->
                                line.contains(folder().toString()) && !line.contains(RedisStarter.class.getName())));
    }
}
