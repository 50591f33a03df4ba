package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqGuarantee;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest extends DriverFilesContractTest<RabbitMqConfig> {

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @ParameterizedTest
    @MethodSource("files")
    void pointsToTheUsualAddress(ShippedDriverFile file) {
        assertThat(new RabbitMqBenchmarkDriver().addresses(config(file))).containsExactly("localhost:5672");
    }

    @ParameterizedTest
    @CsvSource({
        "rabbitmq.yaml, QUORUM, true, false, 500",
        "rabbitmq-classic.yaml, CLASSIC, false, true, 0",
        "rabbitmq-classic-persistent.yaml, CLASSIC, true, false, 500",
        "rabbitmq-durable.yaml, QUORUM, true, false, 500",
        "rabbitmq-fast.yaml, CLASSIC, true, false, 500",
        "rabbitmq-stream.yaml, STREAM, false, true, 0",
        "rabbitmq-super-stream.yaml, SUPER_STREAM, false, true, 0",
        "rabbitmq-ramadan.yaml, CLASSIC, true, false, 1",
    })
    void isWhatItsNameSays(String name, QueueType type, boolean persistent, boolean autoAck, int prefetch) {
        RabbitMqConfig config = config(ShippedDriverFile.named(name));
        assertThat(config.queueType()).isEqualTo(type);
        assertThat(config.messagePersistence()).isEqualTo(persistent);
        assertThat(config.autoAck()).isEqualTo(autoAck);
        assertThat(config.prefetchCount()).isEqualTo(prefetch);
    }

    @ParameterizedTest
    @MethodSource("files")
    void promisesWhatThePageOfGuaranteesSays(ShippedDriverFile file) throws Exception {
        assertThat(DocumentedGuarantee.of(RabbitMqGuarantee.of(config(file), 3, "4.0.5")))
                .isEqualTo(DocumentedGuarantee.of(file));
    }

    @Test
    void thereAreNoOthers() {
        assertThat(files()).hasSize(8);
    }
}
