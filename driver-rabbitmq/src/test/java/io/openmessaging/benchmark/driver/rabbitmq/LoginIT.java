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
import io.openmessaging.benchmark.suite.Patience;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the error that a user reads after a failed connection: one sentence, without the password. */
class LoginIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

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
                .endsWith("the host nowhere.invalid cannot be resolved on this machine");
    }

    @Test
    void aPortWhereNobodySpeaksAmqp() {
        assertThat(refusal(TestConfigs.of("amqpUris", List.of("amqp://" + RABBITMQ.streamAddress()))))
                .isEqualTo("Could not reach RabbitMQ at " + RABBITMQ.streamAddress()
                        + " (vhost '/', user 'guest'): the connection is lost");
    }

    /** Happens if the stream plugin is off. */
    @Test
    void aBrokerThatDoesNotSpeakTheStreamProtocol() throws Exception {
        String closed;
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "127.0.0.1:" + reserved.getLocalPort();
        }
        assertThat(refusal(streamsAt(closed)))
                .startsWith("Could not reach the stream protocol of RabbitMQ at " + closed
                        + " (vhost '/', user 'guest'): Connection refused")
                .endsWith("streams need the plugin rabbitmq_stream on every node");
    }

    @Test
    void anInterruptEndsAConnectByTheStreamProtocol() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) Patience.LIMIT.toMillis());
            RabbitMqConfig config = streamsAt("127.0.0.1:" + silent.getLocalPort());
            FutureTask<Throwable> call =
                    new FutureTask<>(() -> catchThrowable(() -> connect(config, Patience.LIMIT.multipliedBy(10))));
            Thread control = new Thread(call, "control");
            control.start();
            try (AutoCloseable accepted = silent.accept()) {
                assertThat(accepted).as("connection of the stream client").isNotNull();
                control.interrupt();
                assertThat(Patience.get("the end of an interrupted connect", call))
                        .isInstanceOf(InterruptedException.class);
            }
        }
    }

    /** Returns a configuration for streams; the first connection still uses AMQP. */
    private static RabbitMqConfig streamsAt(String address) {
        return TestConfigs.of(
                "amqpUris",
                List.of("amqp://guest:guest@" + RABBITMQ.address()),
                "queueType",
                QueueType.STREAM,
                "streamAddresses",
                List.of(address));
    }

    private static void connect(RabbitMqConfig config, Duration limit) throws DriverException, InterruptedException {
        DriverContext context = new DriverContext("login", limit, new RecordingEvents());
        try (DriverConnection connection = new RabbitMqBenchmarkDriver().connect(config, context)) {
            connection.describeBroker();
        }
    }

    private static String refusal(RabbitMqConfig config) {
        Throwable thrown = catchThrowable(() -> connect(config, Patience.LIMIT));
        assertThat(thrown).isInstanceOf(DriverException.class);
        assertThat(thrown.getMessage()).doesNotContain("s3cret", "\n");
        return String.valueOf(thrown.getMessage());
    }
}
