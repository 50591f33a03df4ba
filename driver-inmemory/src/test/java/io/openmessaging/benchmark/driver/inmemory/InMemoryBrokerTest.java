package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryBrokerTest {

    private static final InMemoryConfig DIRECT = InMemoryConfig.of(Delivery.DIRECT);

    private static DriverSession open(InMemoryConfig config) throws Exception {
        return DriverSession.open(new InMemoryBenchmarkDriver(), config, Patience.LIMIT);
    }

    @Test
    void connectionsWithOtherConfigurationsReachAnotherBroker() throws Exception {
        try (DriverSession direct = open(DIRECT);
                DriverSession queued = open(InMemoryConfig.of(Delivery.QUEUED))) {
            TopicSpec topic = direct.topic(1);
            assertThatThrownBy(() -> queued.producer(topic))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("There is no topic " + topic.name() + ".");
            assertThatThrownBy(() -> queued.consumer(topic, "s", new RecordingListener()))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("There is no topic " + topic.name() + ".");
        }
    }

    @Test
    void aBrokerIsForgottenWithItsLastConnectionAndTopic() {
        // Unlike any other test's configuration: tests of other classes run at the same time, in the same process.
        InMemoryConfig ours = new InMemoryConfig(Delivery.DIRECT, 1, 4711L, Duration.ZERO, Duration.ZERO, Faults.NONE);
        InMemoryBroker first = InMemoryBroker.connect(ours);
        assertThat(InMemoryBroker.connect(ours)).isSameAs(first);
        first.disconnect();
        assertThat(InMemoryBroker.connect(ours)).isSameAs(first);
        first.disconnect();
        first.disconnect();
        InMemoryBroker second = InMemoryBroker.connect(ours);
        assertThat(second).isNotSameAs(first);
        second.disconnect();
    }

    @Test
    void topicsAreCreatedAllOrNone() throws Exception {
        try (DriverSession session = open(DIRECT)) {
            TopicSpec there = session.topic(1);
            TopicSpec fresh = new TopicSpec("fresh", 1);
            assertThatThrownBy(() -> session.connection().createTopics(List.of(fresh, there)))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Topic " + there.name() + " cannot be created: it already exists.");
            assertThatThrownBy(() -> session.producer(fresh)).hasMessage("There is no topic fresh.");
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("none", 0))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Topic none cannot be created: it needs at least 1 partition, got 0.");
        }
    }

    @Test
    void aConnectionThatIsClosedLeavesNoThread() throws Exception {
        InMemoryConfig delayed =
                new InMemoryConfig(Delivery.QUEUED, 4, 1L, Duration.ofMillis(1), Duration.ofMillis(1), Faults.NONE);
        for (InMemoryConfig config : List.of(DIRECT, delayed)) {
            try (DriverSession owner = open(config)) {
                TopicSpec topic = owner.topic(1);
                DriverConnection connection = new InMemoryBenchmarkDriver()
                        .connect(config, new DriverContext("r", Patience.LIMIT, new RecordingEvents()));
                connection
                        .createConsumers(List.of(new ConsumerSpec(0, topic, "s", new RecordingListener())))
                        .get(0)
                        .pause();
                connection
                        .createProducers(List.of(new ProducerSpec(0, topic)))
                        .get(0)
                        .send(null, new byte[10], new RecordingCallback("the message"));
                assertThat(ownThreads()).isNotEmpty();
                connection.close();
                Patience.await("the end of the threads")
                        .untilAsserted(() -> assertThat(ownThreads()).isEmpty());
            }
        }
    }

    private static List<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("inmemory-"))
                .toList();
    }
}
