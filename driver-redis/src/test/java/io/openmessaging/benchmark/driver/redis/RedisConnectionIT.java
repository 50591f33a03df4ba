package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.resps.StreamEntry;

/** Tests of behaviour specific to Redis, beyond the contract of all drivers. */
@ExtendWith(SharedRedis.class)
@Isolated("counts what is in Redis, and ends all of its connections")
class RedisConnectionIT {

    private static DriverSession open(RedisMode mode, Map<String, Object> keys) throws Exception {
        return DriverSession.open(new RedisBenchmarkDriver(), SharedRedis.get().config(mode, keys), TIMEOUT);
    }

    private static DriverSession open(RedisMode mode) throws Exception {
        return open(mode, Map.of());
    }

    // Login and description

    @Test
    void aWrongPasswordIsRefusedWithRedisReason() {
        Map<String, Object> login = Map.of("redisUser", LocalRedis.READER, "redisPass", "wrong");
        assertThatThrownBy(() -> open(RedisMode.STREAM, login))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not reach Redis at " + SharedRedis.get().address()
                        + ": WRONGPASS invalid username-password pair or user is disabled.");
    }

    @Test
    void redisDescribesItself() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM)) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Redis");
            assertThat(broker.version()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(broker.nodes()).containsExactly(SharedRedis.get().address());
            assertThat(broker.settings())
                    .containsEntry("mode", "standalone")
                    .containsEntry("appendonly", "no")
                    .containsKey("client-output-buffer-limit");
        }
    }

    @Test
    void theClientIsNamedWithItsVersion() {
        assertThat(new RedisBenchmarkDriver().clientVersion()).matches("jedis \\d+\\.\\d+\\.\\d+");
    }

    // Figures

    private static NodeFigures figures(RedisMode mode, Map<String, Object> keys) {
        List<NodeFigures> nodes =
                new RedisBenchmarkDriver().nodeFigures(SharedRedis.get().config(mode, keys), TIMEOUT);
        assertThat(nodes).hasSize(1);
        return nodes.get(0);
    }

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void redisTellsWhatItUses(RedisMode mode) throws Exception {
        try (NodeFigures figures = figures(mode, Map.of());
                // With this, a read in progress at the pause takes only one message.
                DriverSession session = open(mode, Map.of("readCount", 1))) {
            assertThat(figures.address()).isEqualTo(SharedRedis.get().address());
            Map<String, Double> before = figures.read();
            TopicSpec topic = session.topic(3);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            consumer.pause();
            sendAcknowledged(session.producer(topic), 0, 20, 100_000);
            Map<String, Double> after = figures.read();

            for (String name : List.of("used_memory", "used_memory_rss", "used_cpu_user", "total_commands_processed")) {
                assertThat(after.get(name)).as(name).isGreaterThan(0);
            }
            assertThat(growth(before, after, "total_commands_processed")).isGreaterThan(20);
            assertThat(growth(before, after, "total_net_input_bytes")).isGreaterThan(2_000_000);
            if (mode == RedisMode.PUBSUB) {
                assertThat(after).doesNotContainKey(InfoFigures.ENTRIES);
            } else {
                assertThat(growth(before, after, "used_memory")).isGreaterThan(1_000_000);
                // One read of each partition may be in progress at the pause.
                assertThat(growth(before, after, InfoFigures.ENTRIES)).isBetween(17.0, 20.0);
            }
        }
    }

    private static double growth(Map<String, Double> before, Map<String, Double> after, String name) {
        return after.getOrDefault(name, 0.0) - before.getOrDefault(name, 0.0);
    }

    @Test
    void figuresOfARedisThatRefusesAreASentenceAndLaterOnesAreRead() throws Exception {
        try (NodeFigures figures =
                figures(RedisMode.STREAM, Map.of("redisUser", LocalRedis.READER, "redisPass", "wrong"))) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(figures::read)
                        .isInstanceOf(DriverException.class)
                        .hasMessage("Could not read the resource usage of Redis:"
                                + " WRONGPASS invalid username-password pair or user is disabled.");
            }
        }
        try (NodeFigures figures = figures(RedisMode.STREAM, Map.of())) {
            figures.read();
            try (Jedis jedis = SharedRedis.get().jedis()) {
                jedis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
            }
            assertThatThrownBy(figures::read).isInstanceOf(DriverException.class);
            assertThat(figures.read()).containsKey("used_memory");
        }
    }

    @Test
    void figuresAreNotReadAfterTheEnd() throws Exception {
        NodeFigures figures = figures(RedisMode.STREAM, Map.of());
        figures.read();
        figures.close();

        assertThatThrownBy(figures::read).isInstanceOf(DriverException.class);
    }

    // Keys

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void nothingIsLeftOfADeletedTopic(RedisMode mode) throws Exception {
        TopicSpec topic;
        try (DriverSession session = open(mode)) {
            topic = session.topic(3);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 20, 100);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            consumer.pause();
            sendAcknowledged(producer, 20, 40, 100);
        }
        try (Jedis jedis = SharedRedis.get().jedis()) {
            assertThat(jedis.keys("*" + topic.name() + "*")).isEmpty();
        }
    }

    // Consumers

    @ParameterizedTest
    @EnumSource(
            value = RedisMode.class,
            names = {"STREAM", "LIST"})
    void aConsumerThatTakesOverGetsTheRest(RedisMode mode) throws Exception {
        try (DriverSession session = open(mode)) {
            TopicSpec topic = session.topic(4);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 200, 100);
            assertGotAll(List.of(before), 0, 200);
            session.close(first);
            sendAcknowledged(producer, 200, 400, 100);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            assertGotAll(List.of(after), 200, 400);
        }
    }

    @Test
    void aSubscriberCanTakeTheChannelsOfOneThatHasLeft() throws Exception {
        try (DriverSession session = open(RedisMode.PUBSUB)) {
            TopicSpec topic = session.topic(4);
            session.close(session.consumer(topic, "s", new RecordingListener()));
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            sendAcknowledged(session.producer(topic), 0, 100, 100);
            assertGotAll(List.of(after), 0, 100);
        }
    }

    @Test
    void subscribersOfTwoConnectionsDoNotGetTheSameMessages() throws Exception {
        try (DriverSession one = open(RedisMode.PUBSUB);
                DriverSession other = open(RedisMode.PUBSUB)) {
            TopicSpec topic = one.topic(4);
            RecordingListener first = new RecordingListener();
            RecordingListener late = new RecordingListener();
            one.consumer(topic, "s", first);
            other.consumer(topic, "s", late);
            sendAcknowledged(one.producer(topic), 0, 100, 100);
            assertGotAll(List.of(first), 0, 100);
            assertThat(late.count()).isZero();
        }
    }

    @Test
    void producersOfOtherConnectionsPushToANewSubscription() throws Exception {
        try (DriverSession sending = open(RedisMode.LIST);
                DriverSession alsoSending = open(RedisMode.LIST);
                DriverSession receiving = open(RedisMode.LIST)) {
            TopicSpec topic = sending.topic(3);
            BenchmarkProducer first = sending.producer(topic);
            BenchmarkProducer second = alsoSending.producer(topic);
            for (int round = 0; round < 5; round++) {
                RecordingListener listener = new RecordingListener();
                receiving.consumer(topic, "round-" + round, listener);
                sendAcknowledged(first, 0, 50, 100);
                sendAcknowledged(second, 50, 100, 100);
                assertGotAll(List.of(listener), 0, 100);
            }
        }
    }

    @Test
    void consumersOfAGroupGetEachEntryOnce() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM, Map.of("readCount", 7))) {
            TopicSpec topic = session.topic(2);
            RecordingListener shared = new RecordingListener();
            ConsumerSpec[] specs = new ConsumerSpec[4];
            for (int i = 0; i < specs.length; i++) {
                // One listener for all consumers detects duplicates, whichever consumer receives them.
                specs[i] = session.consumerOf(topic, "s", (key, payload, partition) -> {
                    synchronized (shared) {
                        shared.received(key, payload, partition);
                    }
                });
            }
            session.consumers(specs);
            sendAcknowledged(session.producer(topic), 0, 2000, 100);
            assertGotAll(List.of(shared), 0, 2000);
        }
    }

    @Test
    void whatWasDeliveredIsAcknowledgedInAStream() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM);
                Jedis jedis = SharedRedis.get().jedis()) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 100, 100);
            listener.awaitMessages(100, TIMEOUT);
            session.close(consumer);
            String stream = PartitionKeys.partition(topic, 0);
            assertThat(jedis.xpending(stream, "s").getTotal()).isZero();
            assertThat(jedis.xlen(stream)).isEqualTo(100);
        }
    }

    // Producers

    @Test
    void headersAreFieldsOfAnEntryBesideKeyAndPayload() throws Exception {
        Map<String, String> headers = Map.of("header-1", "one", "header-2", "two");
        try (DriverSession session = open(RedisMode.STREAM);
                Jedis jedis = SharedRedis.get().jedis()) {
            TopicSpec topic = session.topic(1);
            sendAcknowledged(session.producer(topic, headers), 0, 1, 100);
            List<StreamEntry> entries =
                    jedis.xrange(PartitionKeys.partition(topic, 0), (StreamEntryID) null, (StreamEntryID) null);
            assertThat(entries).hasSize(1);
            assertThat(entries.get(0).getFields())
                    .containsKeys("p", "k")
                    .containsAllEntriesOf(headers)
                    .hasSize(4);
        }
    }

    @Test
    void aHeaderMustNotBeTakenForTheKey() throws Exception {
        try (DriverSession session = open(RedisMode.STREAM)) {
            TopicSpec topic = session.topic(1);
            assertThatThrownBy(() -> session.producer(topic, Map.of("k", "v")))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create a producer of topic '" + topic.name()
                            + "': a header must not be named 'k', since the driver has a field of that name");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void onlyStreamsCarryHeaders(RedisMode mode) {
        assertThat(new RedisBenchmarkDriver().carriesHeaders(SharedRedis.get().config(mode)))
                .isEqualTo(mode == RedisMode.STREAM);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    void whatIsHeldBackGoesOutWithTheInterval(int pipelineDepth) throws Exception {
        Map<String, Object> keys =
                Map.of("flushInterval", Duration.ofMillis(2), "pipelineDepth", pipelineDepth, "maxLength", 1_000_000L);
        try (DriverSession session = open(RedisMode.STREAM, keys)) {
            TopicSpec topic = session.topic(4);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 1, 100);
            sendAcknowledged(producer, 1, 500, 100);
            assertGotAll(List.of(listener), 0, 500);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }
}
