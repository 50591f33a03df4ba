package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A broker whose disk it takes for full, so that it lets nobody publish. */
@Timeout(120)
class BlockedConnectionIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.with(Map.of("disk_free_limit.absolute", "100000GB"));

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @Test
    void aBlockedConnectionIsCountedAndItsMessagesFailWhenTheProducerIsClosed() throws Exception {
        try (DriverSession session = DriverSession.open(new RabbitMqBenchmarkDriver(), RABBITMQ.config(), TIMEOUT)) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("the message");
            producer.send(null, new byte[100], callback);
            await("connection.blocked")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !session.events().clientErrors().isEmpty());
            assertThat(session.events().clientErrors()).singleElement().satisfies(error -> {
                assertThat(error.kind()).isEqualTo("connection blocked");
                assertThat(error.cause())
                        .hasMessageContaining(RABBITMQ.address())
                        .hasMessageContaining("disk");
            });
            session.close(producer);
            assertThat(callback.awaitFailed(TIMEOUT))
                    .hasMessage("Waited 2000 ms for the broker's confirms of 1 messages");
        }
    }
}
