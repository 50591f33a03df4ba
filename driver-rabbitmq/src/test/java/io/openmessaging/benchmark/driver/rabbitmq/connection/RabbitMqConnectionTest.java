package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RabbitMqConnectionTest {

    @ParameterizedTest
    @CsvSource({
        "CLASSIC, 3.13.7, x-queue-master-locator, min-masters",
        "CLASSIC, 4.0.5, x-queue-leader-locator, balanced",
        "CLASSIC, 4.3.0, x-queue-leader-locator, balanced",
        "CLASSIC, unknown, x-queue-leader-locator, balanced",
        "QUORUM, 3.13.7, x-queue-leader-locator, balanced",
        "STREAM, 3.10.8, x-queue-leader-locator, balanced"
    })
    void theBrokersVersionKnowsTheArgumentThatSpreadsLeaders(
            QueueType type, String version, String argument, String value) {
        assertThat(RabbitMqConnection.locator(TestConfigs.of("queueType", type), version))
                .isEqualTo(Map.of(argument, value));
    }
}
