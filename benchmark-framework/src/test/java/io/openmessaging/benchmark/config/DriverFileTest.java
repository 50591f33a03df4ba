package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverFileTest {

    @TempDir
    Path folder;

    /** A driver's own keys. */
    public record Own(
            int replicationFactor,
            @Nullable String topicConfig,
            @Nullable String commonConfig) {}

    /** A driver that has a use for a key that others ignore. */
    public record WithReset(int replicationFactor, boolean reset) {}

    /** A driver without keys. */
    public record Nothing() {}

    @Test
    void separatesTheFrameworksKeysFromTheDrivers() throws Exception {
        DriverFile file = read("""
                name: Kafka
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                localBroker: {nodes: 3, heap: 512m, exporter: false, settings: {num.io.threads: 2, auto.create.topics.enable: no}}
                replicationFactor: 3
                topicConfig:
                commonConfig: |
                  bootstrap.servers=localhost:9092
                  client.id=a
                """);

        assertThat(file.name()).isEqualTo("Kafka");
        assertThat(file.driverClass()).isEqualTo("io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver");
        assertThat(file.localBroker())
                .isEqualTo(new LocalBrokerSettings(
                        3, "512m", Map.of("num.io.threads", "2", "auto.create.topics.enable", "no"), false));
        assertThat(file.path()).isEqualTo(folder.resolve("driver.yaml"));
        assertThat(file.bind(Own.class)).isEqualTo(new Own(3, null, "bootstrap.servers=localhost:9092\nclient.id=a\n"));
        assertThat(file.settings().keySet())
                .containsExactlyElementsOf(List.of(
                        "name", "driverClass", "localBroker", "replicationFactor", "topicConfig", "commonConfig"));
    }

    @Test
    void startsOneLocalNodeUnlessToldOtherwise() throws Exception {
        LocalBrokerSettings oneNode = new LocalBrokerSettings(1, null, Map.of(), true);

        assertThat(read("name: a\ndriverClass: A").localBroker()).isEqualTo(oneNode);
        assertThat(read("name: a\ndriverClass: A\nlocalBroker:").localBroker()).isEqualTo(oneNode);
        assertThat(read("name: a\ndriverClass: A\nlocalBroker: {heap: 1g}").localBroker())
                .isEqualTo(new LocalBrokerSettings(1, "1g", Map.of(), true));
    }

    @Test
    void saysWhereTheBrokersTellWhatTheyUse() throws Exception {
        MetricsSettings metrics = read("""
                name: a
                driverClass: A
                metrics: {prometheus: ["http://kafka-1:9404/metrics", "https://kafka-2/m"], every: 5s}
                """).metrics();

        assertThat(metrics.targets())
                .containsExactly(URI.create("http://kafka-1:9404/metrics"), URI.create("https://kafka-2/m"));
        assertThat(metrics.every()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read("name: a\ndriverClass: A").metrics())
                .isEqualTo(new MetricsSettings(List.of(), Duration.ofSeconds(1)));
    }

    @Test
    void bindsADriverWithoutKeys() throws Exception {
        assertThat(read("name: a\ndriverClass: A").bind(Nothing.class)).isEqualTo(new Nothing());
    }

    @Test
    void acceptsResetAsOmbsFilesHaveIt() throws Exception {
        DriverFile file = read("name: a\ndriverClass: A\nreplicationFactor: 1\nreset: true");

        assertThat(file.bind(Own.class)).isEqualTo(new Own(1, null, null));
        assertThat(file.bind(WithReset.class)).isEqualTo(new WithReset(1, true));
    }

    private DriverFile read(String yaml) throws ConfigException, IOException {
        return DriverFile.read(Files.writeString(folder.resolve("driver.yaml"), yaml));
    }
}
