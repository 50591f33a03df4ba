package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.send;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Tests messages that count as acknowledged once a replica has them, or once they are on the disk. */
class RedisReplicaIT {

    private static final int MESSAGES = 2000;

    /** Time to wait for copies that do not exist. */
    private static final Duration SHORT = Duration.ofMillis(300);

    private @Nullable TestBroker<RedisConfig> started;

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    private TestBroker<RedisConfig> start(int nodes, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        if (nodes > 1) {
            all.put("replicas", Integer.toString(nodes - 1));
        }
        TestBroker<RedisConfig> broker =
                TestBroker.start(new RedisBenchmarkDriver(), new RedisLocalBroker(), new Setup(nodes, null, all));
        started = broker;
        return broker;
    }

    private static DriverSession open(TestBroker<RedisConfig> broker, RedisMode mode, AcknowledgeAfter after)
            throws Exception {
        RedisConfig config = broker.reach(Configs.of(Map.of("mode", mode, "acknowledgeAfter", after)));
        return DriverSession.open(new RedisBenchmarkDriver(), config, TIMEOUT);
    }

    private static Guarantee guarantee(DriverSession session) throws Exception {
        return Objects.requireNonNull(session.connection().describeBroker().guarantee());
    }

    private static Jedis jedis(String address) {
        return new Jedis(HostAndPort.from(address));
    }

    /** Returns how often a command was called. */
    private static long calls(Jedis jedis, String command) {
        String line = BrokerInfo.parse(jedis.info("commandstats")).getOrDefault("cmdstat_" + command, "calls=0,");
        return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
    }

    @ParameterizedTest
    @CsvSource({"STREAM, false", "LIST, false", "STREAM, true", "LIST, true"})
    void whatIsAcknowledgedIsOnTheReplica(RedisMode mode, boolean aof) throws Exception {
        TestBroker<RedisConfig> broker =
                start(2, aof ? Map.of("appendonly", "yes", "appendfsync", "always") : Map.of());
        try (DriverSession session = open(broker, mode, new AcknowledgeAfter(1, aof, Patience.LIMIT))) {
            List<String> nodes = session.connection().describeBroker().nodes();
            assertThat(nodes).hasSize(2).startsWith(broker.addresses().get(0));
            assertThat(guarantee(session).acknowledgedCopies()).isEqualTo(2);
            assertThat(guarantee(session).survivesPowerCut()).isEqualTo(aof);
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            try (Jedis primary = jedis(nodes.get(0));
                    Jedis replica = jedis(nodes.get(1))) {
                String key = mode == RedisMode.STREAM
                        ? PartitionKeys.partition(topic, 0)
                        : PartitionKeys.listOfNobody(topic, 0);
                for (int i = 0; i < 10; i++) {
                    // One at a time: a premature acknowledgement would show here.
                    sendAcknowledged(producer, i, i + 1, 100);
                    assertThat(length(replica, mode, key)).isEqualTo(i + 1);
                }
                sendAcknowledged(producer, 10, MESSAGES, 100);
                assertThat(length(replica, mode, key)).isEqualTo(MESSAGES);
                long questions = calls(primary, aof ? "waitaof" : "wait");
                assertThat(questions).isGreaterThanOrEqualTo(10);
            }
        }
    }

    private static long length(Jedis jedis, RedisMode mode, String key) {
        return mode == RedisMode.STREAM ? jedis.xlen(key) : jedis.llen(key);
    }

    @Test
    void withoutItsReplicaEachMessageFailsWithTheReasonAndNoneIsAcknowledged() throws Exception {
        TestBroker<RedisConfig> broker = start(2, Map.of());
        // The time must be short only while there is no replica.
        try (DriverSession patient = open(broker, RedisMode.STREAM, new AcknowledgeAfter(1, false, Patience.LIMIT));
                DriverSession session = open(broker, RedisMode.STREAM, new AcknowledgeAfter(1, false, SHORT))) {
            TopicSpec topic = patient.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(patient.producer(topic), 0, 10, 100);
            broker.broker().kill("redis-2");
            List<RecordingCallback> callbacks = send(producer, 10, 30, 100);
            for (RecordingCallback callback : callbacks) {
                assertThat(callback.awaitFailed(TIMEOUT))
                        .hasMessage(
                                "only 0 of 1 replicas had the message within 300 ms; Redis has the message in memory");
            }
            broker.broker().startAgain("redis-2");
            Patience.until("messages to be acknowledged again", () -> isAcknowledged(producer));
            assertThat(callbacks).allMatch(callback -> callback.calls() == 1);
        }
    }

    private static boolean isAcknowledged(BenchmarkProducer producer) throws InterruptedException {
        RecordingCallback callback = send(producer, 30, 31, 100).get(0);
        Patience.until("the answer", () -> callback.calls() == 1);
        return callback.acknowledgements() == 1;
    }

    @Test
    void theLocalAppendOnlyFileAloneMakesAMessageSafe() throws Exception {
        // By default, Redis syncs only once a second.
        TestBroker<RedisConfig> broker = start(1, Map.of("appendonly", "yes"));
        AcknowledgeAfter after = new AcknowledgeAfter(0, true, Patience.LIMIT);
        try (DriverSession session = open(broker, RedisMode.STREAM, after)) {
            assertThat(guarantee(session).inWords())
                    .isEqualTo("1 copy, synced to the disk when acknowledged, survives a power cut");
            BenchmarkProducer producer = session.producer(session.topic(1));
            sendAcknowledged(producer, 0, 10, 100);
        }
    }

    @Test
    void whatCannotBeIsRefusedWhenTopicsAreCreated() throws Exception {
        TestBroker<RedisConfig> broker = start(1, Map.of());
        try (DriverSession session = open(broker, RedisMode.STREAM, new AcknowledgeAfter(1, false, SHORT))) {
            assertThatThrownBy(() -> session.topic(1))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not get messages acknowledged as acknowledgeAfter requires: at "
                            + broker.addresses().get(0)
                            + ", only 0 of 1 replicas had the message within 300 ms; Redis has the message in memory");
        }
        try (DriverSession session = open(broker, RedisMode.STREAM, new AcknowledgeAfter(0, true, SHORT))) {
            assertThatThrownBy(() -> session.topic(1))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("WAITAOF cannot be used when numlocal is set but appendonly is disabled");
        }
    }
}
