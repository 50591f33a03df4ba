package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files for services, with values in place of their variables. */
class KafkaServicesTest {

    private static final Path FOLDER = Path.of("../examples/kafka-services");
    private static final String NEEDS_A_JAR = "msk-iam.yaml";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.endsWith(NEEDS_A_JAR))
                    .sorted()
                    .toList();
        }
    }

    private KafkaConfig config(Path file) throws IOException {
        String text = Files.readString(file)
                .replace("${env:KAFKA_BOOTSTRAP}", "kafka.example.com:9092")
                .replaceAll("\\$\\{env:KAFKA_(USER|PASSWORD)}", "a-value");
        assertThat(text).doesNotContain("${env:");
        return ShippedDriverFile.read(Files.writeString(folder.resolve("service.yaml"), text))
                .config(KafkaConfig.class);
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(Path file) throws IOException {
        assertThat(new KafkaBenchmarkDriver().addresses(config(file))).containsExactly("kafka.example.com:9092");
    }

    @Test
    void theLoginOfMskNamesTheJarsFolder() {
        assertThatThrownBy(() -> config(FOLDER.resolve(NEEDS_A_JAR)))
                .hasMessageContaining("software.amazon.msk.auth.iam.IAMLoginModule")
                .hasMessageContaining("put its jar, and those that it needs, into ");
    }
}
