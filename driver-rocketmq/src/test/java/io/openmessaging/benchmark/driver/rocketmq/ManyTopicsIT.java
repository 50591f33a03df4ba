package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests as many topics as a large application has, with one producer and one consumer each, which share clients. */
@LongSuite("has hundreds of topics and clients")
@Isolated("looks at all threads")
class ManyTopicsIT {

    /** Override with, for example, {@code -Drocketmq.topics=3000}. */
    private static final int TOPICS = Integer.getInteger("rocketmq.topics", 300);

    private static final Duration LIMIT = Patience.LIMIT.multipliedBy(5);

    private final RecordingEvents events = new RecordingEvents();
    private final RecordingListener listener = new RecordingListener();
    private final List<TopicSpec> topics = IntStream.range(0, TOPICS)
            .mapToObj(i -> new TopicSpec("many-" + i, 1))
            .toList();

    @Test
    void allAreThereAndCarryAMessageEach() throws Exception {
        ShippedDriverFile file = ShippedDriverFile.named("rocketmq-shared-clients.yaml");
        RocketMqConfig config = TestConfigs.patient(file.config(RocketMqConfig.class));
        RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
        TestBroker.Setup setup = new TestBroker.Setup(1, "1g", file.brokerSettings());
        try (TestBroker<RocketMqConfig> broker = TestBroker.start(driver, new RocketMqLocalBroker(), setup);
                DriverConnection connection =
                        driver.connect(broker.reach(config), new DriverContext("many", LIMIT, events))) {
            long threadsBefore = threads();
            connection.createTopics(topics);
            List<BenchmarkConsumer> consumers = connection.createConsumers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ConsumerSpec(i, topics.get(i), "s", listener))
                    .toList());
            List<BenchmarkProducer> producers = connection.createProducers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ProducerSpec(i, topics.get(i)))
                    .toList());
            NumberedMessages.assertOneOfEachArrives(producers, listener, LIMIT);
            ProcessNeeds needs = RocketMqClientNeeds.of(config, TOPICS, TOPICS);
            System.out.println(
                    "many topics: " + (threads() - threadsBefore) + " threads, needed at least " + needs.threads());
            assertThat(threads() - threadsBefore).isBetween(needs.threads(), 2 * needs.threads());
            for (BenchmarkProducer producer : producers) {
                producer.close();
            }
            for (BenchmarkConsumer consumer : consumers) {
                consumer.close();
            }
            connection.deleteTopics(topics);
        }
        assertThat(events.fatals()).isEmpty();
        assertThat(events.clientErrors()).isEmpty();
    }

    private static long threads() {
        return Thread.getAllStackTraces().size();
    }
}
