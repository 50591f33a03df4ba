package io.openmessaging.benchmark.driver.redpanda;

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
        assertThat(Configs.problemsOf(file.config())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void namesTheDriverAndHasANameOfItsOwn(DriverFile file) {
        assertThat(file.keys()).containsEntry("driverClass", RedpandaBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @ParameterizedTest
    @MethodSource("files")
    void asksForAsManyNodesAsThereAreReplicas(DriverFile file) {
        Object nodes = file.keys().get("localBroker") instanceof Map<?, ?> broker ? broker.get("nodes") : 1;
        assertThat(nodes).isEqualTo(file.config().replicationFactor());
    }

    @Test
    void thereAreTheseVariants() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactly(
                        "redpanda-replicated.yaml",
                        "redpanda-throughput.yaml",
                        "redpanda-write-caching.yaml",
                        "redpanda.yaml");
    }
}
