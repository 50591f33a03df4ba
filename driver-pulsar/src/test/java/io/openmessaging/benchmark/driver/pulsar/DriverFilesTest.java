package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertThat(file.keys()).containsEntry("driverClass", PulsarBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @ParameterizedTest
    @MethodSource("files")
    void aLocalBrokerHasEnoughBookies(DriverFile file) {
        Object bookies = file.keys().get("localBroker") instanceof Map<?, ?> settings ? settings.get("nodes") : 1;
        PulsarConfig config = file.config();
        if (config.client().isPersistent()) {
            assertThat(config.client().persistence().ensembleSize()).isEqualTo(bookies);
        }
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactlyInAnyOrder(
                        "pulsar.yaml",
                        "pulsar-latency.yaml",
                        "pulsar-high-throughput.yaml",
                        "pulsar-effectively-once.yaml",
                        "pulsar-shared.yaml",
                        "pulsar-key-shared.yaml",
                        "pulsar-non-persistent.yaml");
    }
}
