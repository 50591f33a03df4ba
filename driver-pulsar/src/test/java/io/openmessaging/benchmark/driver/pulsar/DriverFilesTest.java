package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest extends DriverFilesContractTest<PulsarConfig> {

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @ParameterizedTest
    @MethodSource("files")
    void aLocalBrokerHasEnoughBookies(ShippedDriverFile file) {
        PulsarConfig config = config(file);
        if (config.client().isPersistent()) {
            assertThat(config.client().persistence().ensembleSize()).isEqualTo(file.brokerNodes());
        }
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactlyInAnyOrder(
                        "pulsar.yaml",
                        "pulsar-durable.yaml",
                        "pulsar-fast.yaml",
                        "pulsar-latency.yaml",
                        "pulsar-high-throughput.yaml",
                        "pulsar-effectively-once.yaml",
                        "pulsar-shared.yaml",
                        "pulsar-key-shared.yaml",
                        "pulsar-non-persistent.yaml",
                        "pulsar-transactions.yaml",
                        "pulsar-delayed.yaml");
    }
}
