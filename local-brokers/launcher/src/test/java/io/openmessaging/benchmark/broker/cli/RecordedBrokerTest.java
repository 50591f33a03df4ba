package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedBrokerTest {

    private static final RecordedBroker BROKER = new RecordedBroker(
            "RabbitMQ",
            "3.10.8",
            List.of("127.0.0.1:5672", "127.0.0.1:40001"),
            new TreeMap<>(Map.of(
                    "stream", List.of("127.0.0.1:5552", "127.0.0.1:40002"), "prometheus", List.of("127.0.0.1:40003"))),
            List.of(new RecordedNode(
                    "rabbitmq-1",
                    17,
                    1_000,
                    Path.of("/tmp/rabbitmq 1.log"),
                    new RunningBroker.Launch(
                            List.of("rabbitmq", "-x"), Map.of("A", "b"), Set.of("C"), Path.of("/tmp/a folder")))),
            List.of(Path.of("/groups/cpu/one"), Path.of("/groups/memory/one")));

    @Test
    void theNextCallReadsWhatOneHasWritten(@TempDir Path home) throws Exception {
        RunFolder folder = new RunFolder(home, "rabbitmq");
        Files.createDirectories(folder.data());
        folder.save(BROKER);

        assertThat(new RunFolder(home, "rabbitmq").load()).contains(BROKER);
    }

    @Test
    void saysEveryWayIntoTheBroker() {
        assertThat(BROKER.describe())
                .isEqualTo("RabbitMQ 3.10.8 at 127.0.0.1:5672,127.0.0.1:40001, prometheus at 127.0.0.1:40003,"
                        + " stream at 127.0.0.1:5552,127.0.0.1:40002");
    }
}
