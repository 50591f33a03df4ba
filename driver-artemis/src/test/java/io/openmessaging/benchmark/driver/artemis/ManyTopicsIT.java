package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests as many topics as a large application has, with one producer and one consumer each. */
@Isolated("takes all of the machine")
@LongSuite("a thousand topics take all of the machine")
class ManyTopicsIT {

    /** Override with, for example, {@code -Dartemis.topics=3000}. */
    private static final int TOPICS = Integer.getInteger("artemis.topics", 1000);

    private static final Duration LIMIT = Patience.LIMIT.multipliedBy(3);

    @Test
    void manyTopicsAreSetUpAndCarryAMessageEach() throws Exception {
        RecordingEvents events = new RecordingEvents();
        RecordingListener listener = new RecordingListener();
        List<TopicSpec> topics = IntStream.range(0, TOPICS)
                .mapToObj(i -> new TopicSpec("many-" + i, 1))
                .toList();
        try (LocalArtemis broker = LocalArtemis.start(Map.of());
                DriverConnection connection = new ArtemisBenchmarkDriver()
                        .connect(broker.reach(TestConfigs.defaults()), new DriverContext("run", LIMIT, events))) {
            long startNs = System.nanoTime();
            connection.createTopics(topics);
            List<BenchmarkProducer> producers = connection.createProducers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ProducerSpec(i, topics.get(i)))
                    .toList());
            List<BenchmarkConsumer> consumers = connection.createConsumers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ConsumerSpec(i, topics.get(i), "s", listener))
                    .toList());
            System.out.println("many topics: " + TOPICS + " topics, producers and consumers were set up in "
                    + (System.nanoTime() - startNs) / 1_000_000 + " ms");
            NumberedMessages.assertOneOfEachArrives(producers, listener, LIMIT);
            assertThat(events.clientErrors()).isEmpty();
            for (BenchmarkConsumer consumer : consumers) {
                consumer.close();
            }
            for (BenchmarkProducer producer : producers) {
                producer.close();
            }
        }
    }
}
