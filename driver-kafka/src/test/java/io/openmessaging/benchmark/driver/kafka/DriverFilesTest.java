package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
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
        assertThat(file.keys()).containsEntry("driverClass", KafkaBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactlyInAnyOrder(
                        "kafka.yaml",
                        "kafka-throughput.yaml",
                        "kafka-latency.yaml",
                        "kafka-sync.yaml",
                        "kafka-no-linger.yaml",
                        "kafka-exactly-once.yaml",
                        "kafka-big-batches.yaml",
                        "kafka-big-batches-gzip.yaml",
                        "kafka-big-batches-snappy.yaml",
                        "kafka-big-batches-lz4.yaml",
                        "kafka-big-batches-zstd.yaml",
                        "kafka-compression-gzip.yaml",
                        "kafka-compression-snappy.yaml",
                        "kafka-compression-lz4.yaml",
                        "kafka-compression-zstd.yaml");
    }

    @Test
    void theFirstFileSuitsASingleNode() {
        KafkaConfig config = files().stream()
                .filter(file -> file.toString().equals("kafka.yaml"))
                .findFirst()
                .orElseThrow()
                .config();
        assertThat(config.replicationFactor()).isEqualTo(1);
        assertThat(new KafkaBenchmarkDriver().addresses(config)).containsExactly("localhost:9092");
    }
}
