package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Tests how clients react when keys move to another node: a slot is moved, or a replica is promoted. */
@LongSuite("starts clusters and sentinels, and waits for them to promote replicas")
class RedisFailoverIT {

    private static final int PARTITIONS = 4;

    /** Detects a lost node after two seconds instead of fifteen. */
    private static final Map<String, String> HASTY = Map.of("cluster-node-timeout", "2000");

    private static TestBroker<RedisConfig> start(int nodes, Map<String, String> settings) {
        return TestBroker.start(new RedisBenchmarkDriver(), new RedisLocalBroker(), new Setup(nodes, null, settings));
    }

    private static DriverSession open(TestBroker<RedisConfig> broker, Map<String, Object> keys) throws Exception {
        return DriverSession.open(new RedisBenchmarkDriver(), broker.reach(Configs.of(keys)), TIMEOUT);
    }

    private static Map<String, String> replicated(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("replicas", "1");
        return all;
    }

    private static List<String> leaders(DriverSession session, TopicSpec topic) throws Exception {
        return session.connection().leaders(List.of(topic)).get(0);
    }

    private static Jedis jedis(String address) {
        return new Jedis(HostAndPort.from(address));
    }

    private static String call(Jedis jedis, Command command, String... arguments) {
        Object answer = jedis.sendCommand(command, arguments);
        return answer instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(answer);
    }

    /** Returns the node that listens at an address. */
    private static String nodeAt(RunningBroker broker, String address) {
        long pid;
        try (Jedis jedis = jedis(address)) {
            pid = Long.parseLong(BrokerInfo.parse(jedis.info("server")).getOrDefault("process_id", "0"));
        }
        return broker.nodes().stream()
                .filter(node -> node.pid() == pid)
                .map(RunningBroker.Node::name)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void aSlotThatIsMovedIsFollowed(RedisMode mode) throws Exception {
        try (TestBroker<RedisConfig> cluster = start(3, Map.of());
                DriverSession session =
                        open(cluster, Map.of("mode", mode, "clusterAddresses", List.of("localhost:1")))) {
            TopicSpec topic = session.topic(PARTITIONS);
            RecordingListener listener = new RecordingListener();
            try (SteadyTraffic traffic = new SteadyTraffic(session, topic, listener)) {
                traffic.awaitMore(100);
                String source = leaders(session, topic).get(0);
                String target = cluster.addresses().stream()
                        .filter(address -> !address.equals(source))
                        .findFirst()
                        .orElseThrow();
                move(source, target, PartitionKeys.partition(topic, 0), traffic);
                traffic.awaitMore(400);
                traffic.awaitNextOf(0);
                int subscribedAgain = traffic.sentCount();
                traffic.awaitMore(100);
                assertThat(leaders(session, topic).get(0)).isEqualTo(target);
                traffic.end();
                // Messages published before the new subscription are lost.
                traffic.awaitAcknowledged(mode == RedisMode.PUBSUB ? subscribedAgain : 0);
                System.out.println("slot moved, " + mode + ": " + traffic.describe() + " "
                        + session.events().clientErrors());
                assertThat(traffic.failures()).isEmpty();
                assertThat(traffic.duplicates()).isZero();
                for (int p = 0; p < PARTITIONS; p++) {
                    assertThat(traffic.arrivedOf(p))
                            .as("order of partition " + p)
                            .isSorted();
                }
                assertThat(session.events().fatals()).isEmpty();
            }
        }
    }

    /**
     * Moves a slot as redis-cli does, with traffic while the target has the keys and the source still owns the slot.
     */
    private static void move(String source, String target, String key, SteadyTraffic traffic) {
        String slot = Integer.toString(JedisClusterCRC16.getSlot(key));
        try (Jedis from = jedis(source);
                Jedis to = jedis(target)) {
            String sourceId = call(from, Command.CLUSTER, "MYID");
            String targetId = call(to, Command.CLUSTER, "MYID");
            call(to, Command.CLUSTER, "SETSLOT", slot, "IMPORTING", sourceId);
            call(from, Command.CLUSTER, "SETSLOT", slot, "MIGRATING", targetId);
            traffic.awaitMore(100);
            HostAndPort there = HostAndPort.from(target);
            for (Object each : (List<?>) from.sendCommand(Command.CLUSTER, "GETKEYSINSLOT", slot, "100")) {
                String moved = new String((byte[]) each, StandardCharsets.UTF_8);
                call(from, Command.MIGRATE, there.getHost(), Integer.toString(there.getPort()), moved, "0", "5000");
            }
            traffic.awaitMore(400);
            for (String node : List.of(target, source)) {
                try (Jedis jedis = jedis(node)) {
                    call(jedis, Command.CLUSTER, "SETSLOT", slot, "NODE", targetId);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RedisMode.class,
            names = {"STREAM", "LIST"})
    void clientsGoOnWithThePromotedReplicaOfAMasterThatIsGone(RedisMode mode) throws Exception {
        AcknowledgeAfter replicated = new AcknowledgeAfter(1, false, Duration.ofSeconds(20));
        Map<String, Object> keys =
                Map.of("mode", mode, "clusterAddresses", List.of("localhost:1"), "acknowledgeAfter", replicated);
        try (TestBroker<RedisConfig> cluster = start(6, replicated(HASTY))) {
            try (DriverSession session = open(cluster, keys)) {
                assertThat(session.connection().describeBroker().nodes())
                        .containsExactlyInAnyOrderElementsOf(cluster.addresses());
                TopicSpec topic = session.topic(PARTITIONS);
                try (SteadyTraffic traffic = new SteadyTraffic(session, topic, new RecordingListener())) {
                    traffic.awaitMore(200);
                    String master = leaders(session, topic).get(0);
                    String node = nodeAt(cluster.broker(), master);
                    cluster.broker().kill(node);
                    // The partitions of the other masters continue in any case.
                    awaitLeaderOtherThan(master, session, topic);
                    cluster.broker().startAgain(node);
                    traffic.awaitMore(800);
                    traffic.end();
                    System.out.println("cluster, master killed, " + mode + ": " + traffic.describe());
                    if (mode == RedisMode.STREAM) {
                        traffic.awaitAcknowledged();
                        assertThat(traffic.duplicates()).isZero();
                    }
                    assertThat(traffic.failures().keySet()).doesNotContain("null", "");
                    assertThat(session.events().fatals()).isEmpty();
                }
            }
        }
    }

    private static void awaitLeaderOtherThan(String master, DriverSession session, TopicSpec topic) {
        Patience.until("another leader", () -> !leaders(session, topic).get(0).equals(master));
    }

    @Test
    void clientsGoOnWithThePrimaryThatSentinelsPromote() throws Exception {
        Map<String, Object> keys = Map.of("sentinels", List.of("localhost:1"));
        try (TestBroker<RedisConfig> watched = start(2, replicated(Map.of("sentinels", "3")))) {
            assertThat(watched.addresses()).hasSize(3);
            try (DriverSession session = open(watched, keys)) {
                assertThat(session.connection().describeBroker().nodes()).hasSize(2);
                TopicSpec topic = session.topic(PARTITIONS);
                String primary = leaders(session, topic).get(0);
                assertThat(nodeAt(watched.broker(), primary)).isEqualTo("redis-1");
                try (SteadyTraffic traffic = new SteadyTraffic(session, topic, new RecordingListener())) {
                    traffic.awaitMore(200);
                    watched.broker().kill("redis-1");
                    int killed = traffic.sentCount();
                    traffic.awaitMore(400);
                    assertThat(leaders(session, topic)).doesNotContain(primary);
                    traffic.end();
                    System.out.println("sentinels, primary killed: " + traffic.describe());
                    // Messages that the old primary acknowledged but had not yet replicated are lost.
                    traffic.awaitAcknowledged(killed);
                    assertThat(traffic.duplicates()).isZero();
                    assertThat(traffic.failures().keySet()).doesNotContain("null", "");
                    assertThat(session.events().fatals()).isEmpty();
                    assertThat(session.connection().describeBroker().nodes()).hasSize(1);
                }
            }
            assertThatThrownBy(
                            () -> open(watched, Map.of("sentinels", List.of("localhost:1"), "sentinelMaster", "other")))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("the sentinel knows no primary named 'other' (sentinelMaster)");
        }
    }
}
