package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import redis.clients.jedis.Jedis;

/** Tests many topics with one producer and one consumer each. */
@Isolated("has thousands of threads")
class RedisScaleIT {

    private static final int TOPICS = 3000;
    private static final Duration LIMIT = Patience.LIMIT.multipliedBy(2);

    @Test
    @LongSuite("creates 3000 topics, and some 6000 threads and connections")
    void threeThousandTopicsHaveAProducerAndAConsumerEach() throws Exception {
        try (LocalRedis redis = LocalRedis.start(Map.of());
                DriverSession session =
                        DriverSession.open(new RedisBenchmarkDriver(), redis.config(RedisMode.STREAM), LIMIT);
                Jedis jedis = redis.jedis()) {
            List<TopicSpec> topics = IntStream.range(0, TOPICS)
                    .mapToObj(i -> new TopicSpec("scale-" + i, 1))
                    .toList();
            session.connection().createTopics(topics);
            RecordingListener[] listeners =
                    topics.stream().map(topic -> new RecordingListener()).toArray(RecordingListener[]::new);
            ConsumerSpec[] specs = IntStream.range(0, TOPICS)
                    .mapToObj(i -> session.consumerOf(topics.get(i), "s", listeners[i]))
                    .toArray(ConsumerSpec[]::new);
            List<BenchmarkConsumer> consumers = session.consumers(specs);
            List<BenchmarkProducer> producers = session.producers(topics.toArray(TopicSpec[]::new));
            String connections = BrokerInfo.parse(jedis.info("clients")).getOrDefault("connected_clients", "");
            List<RecordingCallback> callbacks = new ArrayList<>();
            for (BenchmarkProducer producer : producers) {
                callbacks.addAll(NumberedMessages.send(producer, 0, 1, 100));
            }
            for (int i = 0; i < TOPICS; i++) {
                callbacks.get(i).awaitAcknowledged(TIMEOUT);
                assertThat(listeners[i].awaitMessages(1, TIMEOUT)).hasSize(1);
            }
            closeAll(consumers);
            assertThat(Integer.parseInt(connections)).isBetween(2 * TOPICS, 2 * TOPICS + 10);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    /** Closes many consumers at a time, as the harness does. */
    private static void closeAll(List<BenchmarkConsumer> consumers) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(100);
        List<Future<?>> closes = new ArrayList<>();
        for (BenchmarkConsumer consumer : consumers) {
            closes.add(pool.submit(() -> {
                consumer.close();
                return null;
            }));
        }
        for (Future<?> close : closes) {
            Patience.get("the close of a consumer", close);
        }
        pool.shutdown();
    }

    @Test
    void moreThanRedisTakesAreRefusedBeforeTheFirstIsCreated() throws Exception {
        try (LocalRedis redis = LocalRedis.start(Map.of("maxclients", "20"));
                DriverSession session =
                        DriverSession.open(new RedisBenchmarkDriver(), redis.config(RedisMode.STREAM), LIMIT)) {
            TopicSpec topic = session.topic(1);
            TopicSpec[] many = IntStream.range(0, 30).mapToObj(i -> topic).toArray(TopicSpec[]::new);
            assertThatThrownBy(() -> session.producers(many))
                    .isInstanceOf(DriverException.class)
                    .hasMessageMatching("Could not create 30 producers: they need 30 connections, and Redis at "
                            + redis.address() + " allows 20 \\(maxclients\\), of which \\d are in use");
            ConsumerSpec[] consumers = IntStream.range(0, 30)
                    .mapToObj(i -> session.consumerOf(topic, "s", new RecordingListener()))
                    .toArray(ConsumerSpec[]::new);
            assertThatThrownBy(() -> session.consumers(consumers))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("Could not attach 30 consumers: they need 30 connections");
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 10, 100);
        }
    }
}
