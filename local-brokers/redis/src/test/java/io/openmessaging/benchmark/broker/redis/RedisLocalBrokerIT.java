package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.testkit.ListeningSockets;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.broker.testkit.Starter;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the real Redis, from packages fetched on first use into the checkout's own cache. */
class RedisLocalBrokerIT extends LocalBrokerContractTest {

    @Override
    protected LocalBroker localBroker() {
        return new RedisLocalBroker();
    }

    @Override
    protected boolean isOnTheJvm() {
        return false;
    }

    @Test
    void servesClientsFromPackagesWithTheLibrariesFromThereAndLeavesNothingAfterClose() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(Map.of());
        try (broker;
                RedisConnection redis = RedisConnection.to(broker)) {
            ports = ports(broker);
            assertThat(broker.product()).isEqualTo("Redis");
            assertThat(broker.version()).startsWith("8.");
            assertThat(ProcessHandle.of(broker.nodes().get(0).pid())
                            .orElseThrow()
                            .info()
                            .command()
                            .orElseThrow())
                    .startsWith(HOME.resolve(".brokers/packages/redis").toRealPath() + "/");
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

        assertNothingIsLeft(broker, ports);
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        try (RedisConnection redis = RedisConnection.to(broker)) {
            assertThat(redis.call("XADD", "stream", "*", "payload", "hello")).hasSize(1);
            assertThat(redis.call("XLEN", "stream")).containsExactly(":1");
        }
    }

    @Test
    @LongSuite("starts another broker")
    void theUsersSettingsAreInForceAndTold() throws Exception {
        Map<String, String> settings = Map.of(
                "appendonly", "yes",
                "appendfsync", "always",
                "client-output-buffer-limit", "pubsub 1mb 512kb 5",
                "maxmemory", "100mb",
                "requirepass", "secret");
        try (RunningBroker broker = start(settings);
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
    @LongSuite("starts another broker")
    void anEntryThatRedisDoesNotKnowEndsTheStartWithItsReason() {
        assertThatThrownBy(() -> start(Map.of("append-only", "yes")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("redis-1 (pid ")
                .hasMessageContaining("append-only");
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts another broker")
    void aPasswordThatIsSetInAnotherWayIsNoReasonToWait() throws Exception {
        try (RunningBroker broker = start(Map.of("user", "default on >secret ~* &* +@all"));
                RedisConnection redis = RedisConnection.to(broker)) {
            assertThat(redis.call("PING")).singleElement().asString().startsWith("-NOAUTH");
            assertThat(redis.call("AUTH", "secret")).containsExactly("+OK");
        }
    }

    @Test
    @LongSuite("starts three nodes")
    void threeNodesAreAClusterWithAllSlotsAlsoBehindAPassword() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(options(3, Map.of("requirepass", "secret", "masterauth", "secret")));
        try (broker) {
            ports = ports(broker);
            assertThat(ports).as("for clients and for each other").hasSize(6);
            assertThat(broker.addresses()).hasSize(3);
            for (RunningBroker.Node node : broker.nodes()) {
                assertThat(ListeningSockets.beyondLoopback(node.pid())).isEmpty();
            }
            for (String address : broker.addresses()) {
                assertThat(new RedisAdminCalls(List.of("secret"), null).call(address, "CLUSTER", "INFO"))
                        .contains("cluster_state:ok", "cluster_slots_ok:16384", "cluster_size:3");
                assertThat(new RedisAdminCalls(List.of(), null).call(address, "PING"))
                        .startsWith("-NOAUTH");
            }
        }
        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts five processes")
    void aPrimaryHasItsReplicaAndSentinelsWatchThem() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(options(2, Map.of("replicas", "1", "sentinels", "3")));
        try (broker) {
            ports = ports(broker);
            assertThat(broker.nodes())
                    .extracting(RunningBroker.Node::name)
                    .containsExactly("redis-1", "redis-2", "redis-sentinel-1", "redis-sentinel-2", "redis-sentinel-3");
            assertThat(broker.settings())
                    .containsEntry("nodes", "2")
                    .containsEntry("replicas", "1")
                    .containsEntry("sentinels", "3");
            RedisAdminCalls calls = new RedisAdminCalls(List.of(), null);
            assertThat(broker.addresses())
                    .hasSize(3)
                    .allSatisfy(sentinel -> assertThat(calls.call(sentinel, "INFO", "sentinel"))
                            .contains("name=mymaster,status=ok", "slaves=1,sentinels=3"));
            for (RunningBroker.Node node : broker.nodes()) {
                assertThat(ListeningSockets.beyondLoopback(node.pid())).isEmpty();
            }
        }
        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts two nodes")
    void aPrimaryAloneIsWhereClientsConnect() throws Exception {
        try (RunningBroker broker = start(options(2, Map.of("replicas", "1")))) {
            RedisAdminCalls calls = new RedisAdminCalls(List.of(), null);
            assertThat(broker.addresses())
                    .singleElement()
                    .satisfies(primary -> assertThat(calls.call(primary, "INFO", "replication"))
                            .contains("role:master", "connected_slaves:1", "state=online"));
            assertThat(broker.settings()).containsEntry("repl-diskless-sync-delay", "0");
        }
    }

    @Test
    @LongSuite("starts six nodes")
    void aClusterHasAReplicaOfEachMaster() throws Exception {
        try (RunningBroker broker = start(options(6, Map.of("replicas", "1")))) {
            RedisAdminCalls calls = new RedisAdminCalls(List.of(), null);
            assertThat(broker.addresses()).hasSize(6);
            for (int i = 0; i < 6; i++) {
                String address = broker.addresses().get(i);
                assertThat(calls.call(address, "CLUSTER", "INFO"))
                        .contains("cluster_state:ok", "cluster_known_nodes:6", "cluster_size:3");
                assertThat(calls.call(address, "INFO", "replication"))
                        .contains(i < 3 ? "connected_slaves:1" : "master_link_status:up");
            }
        }
    }

    @Test
    @LongSuite("starts another broker")
    void livesOnUntilItIsToldToEndIfItIsToDoSo() throws Exception {
        Starter starter = startElsewhere(Lifetime.UNTIL_STOPPED);

        starter.kill();

        // The starter's watcher has ended without harm to Redis; only then is Redis requested to end.
        awaitNobodyWatches();
        assertThat(new RedisAdminCalls(List.of(), null)
                        .serves(starter.addresses().get(0)))
                .isTrue();
        ProcessHandle redis = starter.nodes().get(0);
        assertThat(redis.destroy()).isTrue();
        awaitEnd(redis);
        assertThat(folder().resolve("redis-1/redis-1.log")).content().contains("Redis is now ready to exit");
    }

    private static void awaitEnd(ProcessHandle process) {
        Patience.until(
                "end of process " + process.pid(),
                () -> process.info().command().isEmpty());
    }
}
