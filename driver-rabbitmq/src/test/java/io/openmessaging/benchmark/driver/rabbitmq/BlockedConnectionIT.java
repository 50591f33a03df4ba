package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a broker that considers its disk full and therefore blocks publishers. */
@LongSuite("starts a broker of its own")
class BlockedConnectionIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.with(Map.of("disk_free_limit.absolute", "100000GB"));

    @Test
    void aBlockedConnectionIsCountedAndItsMessagesFailWhenTheProducerIsClosed() throws Exception {
        try (DriverSession session =
                DriverSession.open(new RabbitMqBenchmarkDriver(), RABBITMQ.config(), Patience.LIMIT)) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("the message");
            producer.send(null, new byte[100], callback);
            await("connection.blocked")
                    .until(() -> !session.events().clientErrors().isEmpty());
            assertThat(session.events().clientErrors()).singleElement().satisfies(error -> {
                assertThat(error.kind()).isEqualTo("connection blocked");
                assertThat(error.cause())
                        .hasMessageContaining(RABBITMQ.address())
                        .hasMessageContaining("disk");
            });
            // Prevents the close from waiting for the confirm.
            Thread.currentThread().interrupt();
            session.close(producer);
            assertThat(Thread.interrupted()).as("interrupt status").isTrue();
            assertThat(callback.awaitFailed(Patience.LIMIT))
                    .hasMessage("The producer was closed before the broker confirmed the message");
        }
    }
}
