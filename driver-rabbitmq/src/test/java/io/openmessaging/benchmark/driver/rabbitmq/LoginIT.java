package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a user reads when there is no way in: one sentence, soon, without the password. */
@Timeout(120)
class LoginIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void aWrongPassword() {
        assertThat(refusal(TestConfigs.of("amqpUris", List.of("amqp://guest:s3cret@" + RABBITMQ.address()))))
                .startsWith("Could not reach RabbitMQ at " + RABBITMQ.address()
                        + " (vhost '/', user 'guest'): ACCESS_REFUSED - Login was refused");
    }

    @Test
    void aVhostThatIsNotThere() {
        assertThat(refusal(
                        TestConfigs.of("amqpUris", List.of("amqp://guest:guest@" + RABBITMQ.address() + "/nowhere"))))
                .isEqualTo("Could not reach RabbitMQ at " + RABBITMQ.address()
                        + " (vhost 'nowhere', user 'guest'): NOT_ALLOWED - vhost nowhere not found");
    }

    @Test
    void anAddressWhereNothingListens() {
        assertThat(refusal(TestConfigs.of("amqpUris", List.of("amqp://me:s3cret@127.0.0.1:1/v"))))
                .startsWith("Could not reach RabbitMQ at 127.0.0.1:1 (vhost 'v', user 'me'): Connection refused");
    }

    @Test
    void aHostThatIsUnknown() {
        assertThat(refusal(TestConfigs.of("amqpUris", List.of("amqp://nowhere.invalid"))))
                .startsWith("Could not reach RabbitMQ at nowhere.invalid:5672")
                .endsWith("the host nowhere.invalid is unknown");
    }

    @Test
    void aPortWhereNobodySpeaksAmqp() {
        assertThat(refusal(TestConfigs.of("amqpUris", List.of("amqp://" + RABBITMQ.streamAddress()))))
                .startsWith("Could not reach RabbitMQ at " + RABBITMQ.streamAddress());
    }

    /** As it is where the plugin is off. */
    @Test
    void aBrokerThatDoesNotSpeakTheStreamProtocol() throws Exception {
        String closed;
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "127.0.0.1:" + reserved.getLocalPort();
        }
        RabbitMqConfig config = TestConfigs.of(
                "amqpUris",
                List.of("amqp://guest:guest@" + RABBITMQ.address()),
                "queueType",
                QueueType.STREAM,
                "streamAddresses",
                List.of(closed));
        assertThat(refusal(config))
                .startsWith("Could not reach the stream protocol of RabbitMQ at " + closed
                        + " (vhost '/', user 'guest'): Connection refused")
                .endsWith("streams need the plugin rabbitmq_stream on every node");
    }

    private static String refusal(RabbitMqConfig config) {
        RecordingEvents events = new RecordingEvents();
        long startNs = System.nanoTime();
        Throwable thrown = catchThrowable(() -> {
            DriverContext context = new DriverContext("login", Duration.ofMinutes(1), events);
            try (DriverConnection connection = new RabbitMqBenchmarkDriver().connect(config, context)) {
                connection.describeBroker();
            }
        });
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(SOON);
        assertThat(thrown).isInstanceOf(DriverException.class);
        assertThat(thrown.getMessage()).doesNotContain("s3cret", "\n");
        return String.valueOf(thrown.getMessage());
    }
}
