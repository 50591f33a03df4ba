package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbersOf;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.send;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents.ClientError;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/**
 * Tests that losses, refusals and broken connections are reported, on a separate Redis with a password and a small
 * limit of buffered output for subscribers.
 */
class RedisLossIT {

    private static final String PASSWORD = "secret";

    /** More than the kernel's buffers hold. */
    private static final int TOO_MUCH_FOR_A_SUBSCRIBER_BYTES = 40_000_000;

    @SuppressWarnings("NullAway.Init")
    private static LocalRedis redis;

    @BeforeAll
    static void start() throws Exception {
        redis = LocalRedis.start(Map.of("requirepass", PASSWORD, "client-output-buffer-limit", "pubsub 1mb 1mb 1"));
    }

    @AfterAll
    static void stop() throws Exception {
        redis.close();
    }

    private static DriverSession open(RedisMode mode, Map<String, Object> keys) throws Exception {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("redisPass", PASSWORD);
        return DriverSession.open(new RedisBenchmarkDriver(), redis.config(mode, all), TIMEOUT);
    }

    private static Jedis control() {
        Jedis jedis = redis.jedis();
        jedis.auth(PASSWORD);
        return jedis;
    }

    @Test
    void aMissingPasswordIsRefusedWithRedisReason() {
        assertThatThrownBy(
                        () -> DriverSession.open(new RedisBenchmarkDriver(), redis.config(RedisMode.STREAM), TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not reach Redis at " + redis.address() + ": NOAUTH Authentication required.");
    }

    @Test
    void aSubscriptionThatIsLostWithItsStreamIsMadeAgain() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM, Map.of())) {
            TopicSpec topic = session.topic(2);
            try (SteadyTraffic traffic = new SteadyTraffic(session, topic, new RecordingListener());
                    Jedis control = control()) {
                traffic.awaitMore(50);
                // This has the effect of a crash of a Redis without persistence.
                control.flushAll();
                traffic.awaitMore(50);
                traffic.end();
            }
            assertThat(session.events().clientErrors().toString()).contains("consumer read", "NOGROUP");
        }
    }

    @Test
    void aTrimmedStreamHasLostMessagesForAConsumerThatIsBehind() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM, Map.of("maxLength", 100L))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            sendAcknowledged(session.producer(topic), 0, 5000, 100);
            consumer.resume();
            Patience.until(
                    "the last message", () -> numbersOf(listener.messages()).contains(4999));
            List<Integer> got = numbersOf(listener.messages());
            assertThat(got).hasSizeBetween(100, 1000).isSorted().endsWith(4999).doesNotHaveDuplicates();
        }
    }

    @Test
    void aSubscriberThatDoesNotKeepUpIsDroppedWhichIsTold() throws Exception {
        int bytes = 10_000;
        int messages = TOO_MUCH_FOR_A_SUBSCRIBER_BYTES / bytes;
        try (DriverSession session = open(RedisMode.PUBSUB, Map.of())) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            sendAcknowledged(producer, 0, messages, bytes);
            consumer.resume();
            Patience.until(
                    "the lost connection to be told",
                    () -> !session.events().clientErrors().isEmpty());
            ClientError error = session.events().clientErrors().get(0);
            assertThat(error.kind()).isEqualTo("subscriber connection lost");
            assertThat(error.cause())
                    .hasMessageContaining("did not keep up (client-output-buffer-limit)")
                    .hasMessageContaining(topic.name());

            awaitSubscriber(topic);
            int before = listener.count();
            assertThat(before).isLessThan(messages);
            sendAcknowledged(producer, messages, messages + 100, 100);
            assertThat(numbersOf(listener.awaitMessages(before + 100, TIMEOUT))).endsWith(messages + 98, messages + 99);
            assertThat(session.events().fatals()).isEmpty();
        }
    }

    private static void awaitSubscriber(TopicSpec topic) {
        String channel = PartitionKeys.partition(topic, 0);
        try (Jedis jedis = control()) {
            Patience.until(
                    "the subscriber to be back",
                    () -> Long.valueOf(1).equals(jedis.pubsubNumSub(channel).get(channel)));
        }
    }

    @Test
    void aFullRedisRefusesMessagesWithItsReason() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM, Map.of());
                Jedis jedis = control()) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 10, 100);
            jedis.configSet("maxmemory", "1");
            try {
                for (RecordingCallback callback : send(producer, 10, 20, 100)) {
                    assertThat(callback.awaitFailed(TIMEOUT)).hasMessageStartingWith("OOM command not allowed");
                }
            } finally {
                jedis.configSet("maxmemory", "0");
            }
            sendAcknowledged(producer, 20, 30, 100);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RedisMode.class,
            names = {"STREAM", "LIST"})
    void consumersSurviveTheLossOfTheirConnection(RedisMode mode) throws Exception {
        try (DriverSession session = open(mode, Map.of())) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 100, 100);
            assertGotAll(List.of(listener), 0, 100);
            killConnections();
            Patience.until(
                    "the lost connections of producer and consumer to be told",
                    () -> session.events().clientErrors().size() >= 2);
            assertThat(session.events().clientErrors())
                    .extracting(ClientError::kind)
                    .containsExactlyInAnyOrder("producer connection lost", "consumer connection lost");
            sendAcknowledged(producer, 100, 200, 100);
            assertGotAll(List.of(listener), 0, 200);
            assertThat(session.events().fatals()).isEmpty();
        }
    }

    @Test
    void nothingIsLostOrDoubledWhenStreamConsumersAreBrokenOffInTheMiddle() throws Exception {
        int messages = 20_000;
        int at = 300;
        try (DriverSession session = open(RedisMode.STREAM, Map.of("readCount", 50))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            sendAcknowledged(session.producer(topic), 0, messages, 100);
            consumer.resume();
            for (int kills = 1; kills <= 5; kills++) {
                listener.awaitMessages(kills * at, TIMEOUT);
                killConnections();
            }
            assertGotAll(List.of(listener), 0, messages);
            assertThat(session.events().fatals()).isEmpty();
        }
    }

    /** Kills all connections except those of subscribers and its own. */
    private static void killConnections() {
        try (Jedis jedis = control()) {
            jedis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
        }
    }

    @Test
    void aProducerThatCannotReconnectFailsItsMessages() throws Exception {
        LocalRedis doomed = LocalRedis.start(Map.of());
        try (DriverSession session =
                DriverSession.open(new RedisBenchmarkDriver(), doomed.config(RedisMode.STREAM), TIMEOUT)) {
            TopicSpec topic = new TopicSpec("of-a-redis-that-ends", 1);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 10, 100);
            doomed.close();
            for (RecordingCallback callback : send(producer, 10, 1000, 100)) {
                assertThat(callback.awaitFailed(TIMEOUT)).isNotNull();
            }
            assertThat(session.events().clientErrors())
                    .extracting(ClientError::kind)
                    .contains("producer connection lost", "producer connection");
        } finally {
            doomed.close();
        }
    }

    @Test
    void aConsumerThatCannotReconnectEndsTheRun() throws Exception {
        LocalRedis doomed = LocalRedis.start(Map.of());
        DriverSession session = attempted(
                "a session",
                () -> DriverSession.open(
                        new RedisBenchmarkDriver(), doomed.config(RedisMode.STREAM), Duration.ofSeconds(2)));
        BenchmarkConsumer consumer = attempted(
                "a consumer",
                () -> session.consumer(new TopicSpec("of-a-redis-that-ends", 1), "s", new RecordingListener()));
        doomed.close();
        Patience.until("the end of the run", () -> !session.events().fatals().isEmpty());
        assertThat(session.events().fatals().get(0))
                .hasMessageStartingWith("Only errors occurred for 2000 ms at topic 'of-a-redis-that-ends'")
                .hasMessageContaining("Connection refused");
        session.close(consumer);
        session.connection().close();
    }

    /** Retries, since the limit is meant for later errors, and a busy machine may exceed it at the first attempt. */
    private static <T> T attempted(String what, Callable<T> attempt) {
        return Patience.await(what).ignoreException(DriverException.class).until(attempt, Objects::nonNull);
    }
}
