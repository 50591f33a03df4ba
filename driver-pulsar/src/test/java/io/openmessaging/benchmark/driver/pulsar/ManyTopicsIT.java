package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests many topics with one producer and one consumer each, on a broker as started for a run. A thousand topics leave
 * resources for concurrent tests; use, for example, {@code -Dpulsar.topics=3000} for more.
 */
@LongSuite("creates a thousand topics on a broker of its own")
class ManyTopicsIT {

    private static final int TOPICS = Integer.getInteger("pulsar.topics", 1000);

    /** The framework allows twenty minutes for this number of topics. */
    private static final Duration LIMIT = Patience.LIMIT.multipliedBy(20);

    @Test
    void allAreThereInTimeAndCarryMessages() throws Exception {
        PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();
        List<TopicSpec> topics = IntStream.range(0, TOPICS)
                .mapToObj(i -> new TopicSpec("topic-" + i, 1))
                .toList();
        CountDownLatch arrived = new CountDownLatch(TOPICS);
        MessageListener listener = (key, payload, partition) -> arrived.countDown();
        RecordingEvents events = new RecordingEvents();
        try (TestBroker<PulsarConfig> broker = TestBroker.start(driver, new PulsarLocalBroker(), Setup.SINGLE)) {
            try (PulsarConnection connection =
                    PulsarConnection.open(broker.reach(TestConfigs.of("")), new DriverContext("many", LIMIT, events))) {
                Step step = new Step();
                connection.createTopics(topics);
                step.done("topics");
                List<BenchmarkConsumer> consumers = connection.createConsumers(topics.stream()
                        .map(topic -> new ConsumerSpec(topics.indexOf(topic), topic, "s", listener))
                        .toList());
                step.done("consumers");
                List<BenchmarkProducer> producers = connection.createProducers(topics.stream()
                        .map(topic -> new ProducerSpec(topics.indexOf(topic), topic))
                        .toList());
                step.done("producers");
                assertThat(connection.leaders(topics)).hasSize(TOPICS);
                step.done("leaders");
                List<RecordingCallback> callbacks = new ArrayList<>();
                for (BenchmarkProducer producer : producers) {
                    RecordingCallback callback = new RecordingCallback("a message");
                    callbacks.add(callback);
                    producer.send(null, new byte[100], callback);
                }
                for (RecordingCallback callback : callbacks) {
                    callback.awaitAcknowledged(Patience.LIMIT);
                }
                Patience.await("all messages", arrived);
                step.done("messages");
                for (BenchmarkProducer producer : producers) {
                    producer.close();
                }
                for (BenchmarkConsumer consumer : consumers) {
                    consumer.close();
                }
                step.done("closed");
                connection.deleteTopics(topics);
                step.done("deleted");
            }
        }
        assertThat(events.clientErrors()).isEmpty();
    }

    private static final class Step {

        private long beganNs = System.nanoTime();

        void done(String what) {
            long now = System.nanoTime();
            System.out.printf("%d topics, %s: %.1f s%n", TOPICS, what, (now - beganNs) / 1e9);
            beganNs = now;
        }
    }
}
