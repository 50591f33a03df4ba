package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import org.junit.jupiter.api.Test;

class DriverFilesTest extends DriverFilesContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactlyInAnyOrder(
                        "artemis.yaml",
                        "artemis-amqp.yaml",
                        "artemis-fast.yaml",
                        "artemis-durable.yaml",
                        "artemis-jms.yaml",
                        "artemis-asyncio.yaml",
                        "artemis-in-memory.yaml",
                        "artemis-replicated.yaml");
    }
}
