package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest {

    static List<DriverFile> files() {
        return DriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(DriverFile file) {
        assertThat(TestConfigs.problemsOf(file.config())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void namesTheDriverAndHasANameOfItsOwn(DriverFile file) {
        assertThat(file.keys()).containsEntry("driverClass", RabbitMqBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @ParameterizedTest
    @MethodSource("files")
    void pointsToTheUsualAddress(DriverFile file) {
        assertThat(new RabbitMqBenchmarkDriver().addresses(file.config())).containsExactly("localhost:5672");
    }

    @ParameterizedTest
    @CsvSource({
        "rabbitmq.yaml, QUORUM, true, false, 500",
        "rabbitmq-classic.yaml, CLASSIC, false, true, 0",
        "rabbitmq-classic-persistent.yaml, CLASSIC, true, false, 500",
        "rabbitmq-stream.yaml, STREAM, false, true, 0",
        "rabbitmq-super-stream.yaml, SUPER_STREAM, false, true, 0",
        "rabbitmq-ramadan.yaml, CLASSIC, true, false, 1",
    })
    void isWhatItsNameSays(String name, QueueType type, boolean persistent, boolean autoAck, int prefetch) {
        RabbitMqConfig config = files().stream()
                .filter(file -> file.toString().equals(name))
                .findFirst()
                .orElseThrow()
                .config();
        assertThat(config.queueType()).isEqualTo(type);
        assertThat(config.messagePersistence()).isEqualTo(persistent);
        assertThat(config.autoAck()).isEqualTo(autoAck);
        assertThat(config.prefetchCount()).isEqualTo(prefetch);
    }

    @Test
    void thereAreNoOthers() {
        assertThat(files()).hasSize(6);
    }
}
