package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /**
     * Kafka's client needs Jackson for tokens but does not include it; {@link LoginIT} uses the class path of the
     * tests.
     */
    @Test
    void theFolderHasWhatALoginByTokenNeeds() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("target/driver"))) {
            assertThat(files)
                    .extracting(file -> file.getFileName().toString())
                    .anyMatch(name -> name.startsWith("jackson-databind-"));
        }
    }

    /** Uses zstd, which includes a native library. */
    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        Map<String, Object> keys = Map.of(
                "replicationFactor", 1,
                "commonConfig", "bootstrap.servers=127.0.0.1:1",
                "producerConfig", "compression.type=zstd");
        PackagedDriver.load(KafkaBenchmarkDriver.class).carriesMessages(keys, KAFKA.addresses(), Map.of(), 1000);
    }
}
