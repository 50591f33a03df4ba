package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the number of connections that the broker reports: it counts all of them, so it serves this test alone. */
@LongSuite("starts a broker of its own")
class ConnectionPerClientIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.with(Map.of("heartbeat", "50"));

    @ParameterizedTest
    @EnumSource(names = {"CLASSIC", "SUPER_STREAM"})
    void eachClientHasAConnectionOfItsOwnWhereThatIsWanted(QueueType type) throws Exception {
        int clients = 12;
        await("the end of another test's connections").until(() -> connections() == 0);
        try (DriverSession session = DriverSession.open(
                new RabbitMqBenchmarkDriver(),
                RABBITMQ.config("queueType", type, "connectionPerClient", true),
                TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            double before = connections();
            List<BenchmarkProducer> producers =
                    session.producers(Collections.nCopies(clients, topic).toArray(TopicSpec[]::new));
            List<ConsumerSpec> specs = new ArrayList<>();
            RecordingListener listener = new RecordingListener();
            for (int i = 0; i < clients; i++) {
                specs.add(session.consumerOf(topic, "s" + i, i == 0 ? listener : new RecordingListener()));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            for (int i = 0; i < clients; i++) {
                sendAcknowledged(producers.get(i), i * 10, i * 10 + 10);
            }
            assertThat(arrived(listener, clients * 10)).hasSize(clients * 10);
            // Streams have two more connections, which find their leaders.
            await("the metrics of the connections")
                    .untilAsserted(
                            () -> assertThat(connections() - before).isBetween(2.0 * clients, 2.0 * clients + 2));
        }
    }

    private static double connections() {
        return NodeMetrics.of(RABBITMQ.broker(), "connection_metrics", "rabbitmq_detailed_connection_channels")
                .get(0)
                .size();
    }
}
