package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest extends DriverFilesContractTest<RedpandaConfig> {

    @Override
    protected BenchmarkDriver<RedpandaConfig> driver() {
        return new RedpandaBenchmarkDriver();
    }

    @ParameterizedTest
    @MethodSource("files")
    void asksForAsManyNodesAsThereAreReplicas(ShippedDriverFile file) {
        assertThat(file.brokerNodes()).isEqualTo(config(file).replicationFactor());
    }

    @Test
    void thereAreTheseVariants() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactly(
                        "redpanda-replicated.yaml",
                        "redpanda-throughput.yaml",
                        "redpanda-write-caching.yaml",
                        "redpanda.yaml");
    }
}
