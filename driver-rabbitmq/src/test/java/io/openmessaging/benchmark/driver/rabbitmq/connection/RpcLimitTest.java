package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcLimitTest {

    /** The harness allows 60 s for a control call, and 0.1 s more for each item to create. */
    @ParameterizedTest
    @CsvSource({"PT1S, PT1S", "PT60S, PT15S", "PT150S, PT15S", "PT960S, PT96S", "PT30M, PT3M"})
    void growsWithTheLimitOfAControlCall(Duration controlCall, Duration limit) {
        assertThat(AmqpClients.rpcLimit(controlCall)).isEqualTo(limit);
    }
}
