package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordedBrokerTest {

    private static final RecordedBroker BROKER = new RecordedBroker(
            "RabbitMQ",
            "3.10.8",
            List.of("127.0.0.1:5672", "127.0.0.1:40001"),
            Map.of("stream", List.of("127.0.0.1:5552", "127.0.0.1:40002"), "prometheus", List.of("127.0.0.1:40003")),
            List.of(new RecordedNode("rabbitmq-1", 17, 1_000, Path.of("/tmp/rabbitmq-1.log"))),
            List.of(Path.of("/groups/cpu/one"), Path.of("/groups/memory/one")));

    @Test
    void theNextCallReadsWhatOneHasWritten() {
        assertThat(RecordedBroker.of(BROKER.toProperties())).isEqualTo(BROKER);
    }

    @Test
    void saysEveryWayIntoTheBroker() {
        assertThat(BROKER.describe())
                .isEqualTo("RabbitMQ 3.10.8 at 127.0.0.1:5672,127.0.0.1:40001, prometheus at 127.0.0.1:40003,"
                        + " stream at 127.0.0.1:5552,127.0.0.1:40002");
    }
}
