package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Tests topics whose partitions are on different nodes. */
@ExtendWith(SharedRedis.class)
class RedisClusterIT {

    private static final int PARTITIONS = 8;

    @SuppressWarnings("NullAway.Init")
    private static LocalRedis cluster;

    @BeforeAll
    static void start() {
        cluster = LocalRedis.startCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RedisConfig config(RedisMode mode, List<String> addresses) {
        return Configs.of(Map.of("mode", mode, "clusterAddresses", addresses));
    }

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void twoSubscriptionsOfTwoConsumersGetEverythingFromAllNodes(RedisMode mode) throws Exception {
        int messages = 1000;
        try (DriverSession session =
                DriverSession.open(new RedisBenchmarkDriver(), config(mode, cluster.addresses()), TIMEOUT)) {
            TopicSpec topic = session.topic(PARTITIONS);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                listeners.add(new RecordingListener(Duration.ofNanos(20_000)));
                specs.add(session.consumerOf(topic, i < 2 ? "first" : "second", listeners.get(i)));
            }
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            sendAcknowledged(producers.get(0), 0, messages / 2, 100);
            sendAcknowledged(producers.get(1), messages / 2, messages, 100);
            assertThat(session.events().clientErrors()).isEmpty();
            assertGotAllOfEachPartition(listeners.subList(0, 2), messages);
            assertGotAllOfEachPartition(listeners.subList(2, 4), messages);
            assertThat(listeners).allMatch(listener -> listener.overlaps() == 0, "calls do not overlap");
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    private static void assertGotAllOfEachPartition(List<RecordingListener> listeners, int messages)
            throws InterruptedException {
        assertGotAll(listeners, 0, messages);
        assertThat(listeners.stream().flatMap(listener -> listener.messages().stream()))
                .extracting(ReceivedMessage::partition)
                .contains(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void leadersAreTheOwnersOfTheSlots() throws Exception {
        try (DriverSession session = DriverSession.open(
                new RedisBenchmarkDriver(), config(RedisMode.STREAM, cluster.addresses()), TIMEOUT)) {
            TopicSpec topic = session.topic(PARTITIONS);
            List<String> leaders = session.connection().leaders(List.of(topic)).get(0);
            assertThat(leaders).hasSize(PARTITIONS);
            for (int p = 0; p < PARTITIONS; p++) {
                try (Jedis owner = new Jedis(HostAndPort.from(leaders.get(p)))) {
                    // Any other node would answer with MOVED.
                    assertThat(owner.exists(PartitionKeys.partition(topic, p))).isTrue();
                }
            }
        }
    }

    @Test
    void allNodesAreFoundFromOneAndADeadAddressDoesNoHarm() throws Exception {
        List<String> oneAlive = List.of("127.0.0.1:1", cluster.addresses().get(2));
        try (DriverSession session =
                DriverSession.open(new RedisBenchmarkDriver(), config(RedisMode.STREAM, oneAlive), TIMEOUT)) {
            assertThat(session.connection().describeBroker().nodes())
                    .containsExactlyInAnyOrderElementsOf(cluster.addresses());
            assertThat(session.connection().describeBroker().settings()).containsEntry("mode", "cluster");
        }
    }

    @Test
    void aClusterThatIsTakenForASingleServerSaysSo() throws Exception {
        RedisConfig single =
                Configs.of(Map.of()).withAddresses(List.of(cluster.addresses().get(0)));
        try (DriverSession session = DriverSession.open(new RedisBenchmarkDriver(), single, TIMEOUT)) {
            assertThatThrownBy(() -> session.topic(PARTITIONS))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("MOVED")
                    .hasMessageContaining("clusterAddresses");
        } catch (DriverException e) {
            // The topic that could not be created cannot be deleted either.
            assertThat(e).hasMessageContaining("MOVED");
        }
    }

    @Test
    void aSingleServerThatIsTakenForAClusterSaysSo() {
        List<String> single = List.of(SharedRedis.get().address());
        assertThatThrownBy(
                        () -> DriverSession.open(new RedisBenchmarkDriver(), config(RedisMode.STREAM, single), TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Redis at " + single.get(0) + ": ")
                .hasMessageContaining("cluster support disabled");
    }
}
