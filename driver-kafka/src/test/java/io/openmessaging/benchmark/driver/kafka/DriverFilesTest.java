package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import org.junit.jupiter.api.Test;

class DriverFilesTest extends DriverFilesContractTest<KafkaConfig> {

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactlyInAnyOrder(
                        "kafka.yaml",
                        "kafka-throughput.yaml",
                        "kafka-fast.yaml",
                        "kafka-durable.yaml",
                        "kafka-latency.yaml",
                        "kafka-sync.yaml",
                        "kafka-no-linger.yaml",
                        "kafka-exactly-once.yaml",
                        "kafka-transactions.yaml",
                        "kafka-share-group.yaml",
                        "kafka-shared-clients.yaml",
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
        KafkaConfig config = config(ShippedDriverFile.named("kafka.yaml"));
        assertThat(config.replicationFactor()).isEqualTo(1);
        assertThat(new KafkaBenchmarkDriver().addresses(config)).containsExactly("localhost:9092");
    }
}
