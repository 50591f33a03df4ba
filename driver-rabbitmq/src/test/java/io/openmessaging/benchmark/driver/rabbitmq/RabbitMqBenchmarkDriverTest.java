package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import java.util.List;
import org.junit.jupiter.api.Test;

class RabbitMqBenchmarkDriverTest {

    private final RabbitMqBenchmarkDriver driver = new RabbitMqBenchmarkDriver();

    @Test
    void addressesHaveNoPassword() {
        RabbitMqConfig config = TestConfigs.of("amqpUris", List.of("amqp://me:secret@one/v", "amqps://two"));
        assertThat(driver.addresses(config)).containsExactly("one:5672", "two:5671");
    }

    @Test
    void otherAddressesKeepLoginAndVhost() {
        RabbitMqConfig config = TestConfigs.of("amqpUris", List.of("amqp://me:secret@one/v"), "confirmWindow", 7);
        RabbitMqConfig moved = driver.withAddresses(config, List.of("127.0.0.1:1", "127.0.0.1:2"));
        assertThat(moved.amqpUris())
                .containsExactly("amqp://me:secret@127.0.0.1:1/v", "amqp://me:secret@127.0.0.1:2/v");
        assertThat(moved.confirmWindow()).isEqualTo(7);
    }

    @Test
    void streamsAreLookedForOnTheSameHosts() {
        assertThat(TestConfigs.of("amqpUris", List.of("amqp://one:1", "amqp://one:2", "amqps://two"))
                        .streamEndpoints())
                .containsExactly("one:5552", "two:5551");
    }

    @Test
    void theEndpointsForStreamsAndMetricsAreTaken() {
        RabbitMqConfig config = TestConfigs.of();
        assertThat(driver.withEndpoint(config, "stream", List.of("127.0.0.1:5")).streamEndpoints())
                .containsExactly("127.0.0.1:5");
        assertThat(driver.withEndpoint(config, "prometheus", List.of("127.0.0.1:6"))
                        .prometheusAddresses())
                .containsExactly("127.0.0.1:6");
        assertThat(driver.withEndpoint(config, "http", List.of("127.0.0.1:7"))).isSameAs(config);
    }

    @Test
    void bothClientsAreNamed() {
        assertThat(driver.clientVersion()).matches("amqp-client \\d+\\.\\d+\\.\\d+, stream-client \\d+\\.\\d+\\.\\d+");
        assertThat(driver.localBrokers()).containsExactly("rabbitmq");
    }
}
