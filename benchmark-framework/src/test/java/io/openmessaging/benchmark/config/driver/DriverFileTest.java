package io.openmessaging.benchmark.config.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverFileTest {

    private static final ProcessLimitSettings NO_LIMIT = new ProcessLimitSettings(null, null);

    @TempDir
    Path folder;

    /** A driver's own keys. */
    public record Own(
            int replicationFactor,
            @Nullable String topicConfig,
            @Nullable String commonConfig) {}

    /** A driver that uses a key that others ignore. */
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
                        null,
                        "current",
                        3,
                        "512m",
                        Map.of("num.io.threads", "2", "auto.create.topics.enable", "no"),
                        false));
        assertThat(file.path()).isEqualTo(folder.resolve("driver.yaml"));
        assertThat(file.driver().bind(Own.class))
                .isEqualTo(new Own(3, null, "bootstrap.servers=localhost:9092\nclient.id=a\n"));
        assertThat(file.settings().keySet())
                .containsExactlyElementsOf(List.of(
                        "name", "driverClass", "localBroker", "replicationFactor", "topicConfig", "commonConfig"));
    }

    @Test
    void startsOneLocalNodeUnlessToldOtherwise() throws Exception {
        LocalBrokerSettings oneNode = new LocalBrokerSettings(null, "current", 1, null, Map.of(), true);

        assertThat(read("name: a\ndriverClass: A").localBroker()).isEqualTo(oneNode);
        assertThat(read("name: a\ndriverClass: A\nlocalBroker:").localBroker()).isEqualTo(oneNode);
        assertThat(read("name: a\ndriverClass: A\nlocalBroker: {heap: 1g}").localBroker())
                .isEqualTo(new LocalBrokerSettings(null, "current", 1, "1g", Map.of(), true));
    }

    @Test
    void aLocalBrokerHasTheCurrentVersionOrTheOneThatIsInstalled() throws Exception {
        assertThat(read("name: a\ndriverClass: A\nlocalBroker: {name: valkey, version: system}")
                        .localBroker())
                .isEqualTo(new LocalBrokerSettings("valkey", "system", 1, null, Map.of(), true));
        assertThatThrownBy(() -> read("name: a\ndriverClass: A\nlocalBroker: {version: 4.0}"))
                .hasMessageContaining("localBroker.version: must be current or system, got '4.0'");
    }

    @Test
    void saysWhereTheBrokersTellWhatTheyUse() throws Exception {
        MetricsSettings metrics = read("""
                name: a
                driverClass: A
                metrics: {prometheus: ["http://kafka-1:9404/metrics", "https://kafka-2/m"], every: 5s}
                """).metrics();

        assertThat(metrics.targets())
                .containsExactly(
                        new Address("http", "", "kafka-1", 9404, "/metrics"),
                        new Address("https", "", "kafka-2", Address.NO_PORT, "/m"));
        assertThat(metrics.every()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read("name: a\ndriverClass: A").metrics())
                .isEqualTo(new MetricsSettings(List.of(), Duration.ofSeconds(1)));
    }

    @Test
    void saysWhatBrokersAndClientsMayUse() throws Exception {
        DriverFileLimits limits = read("""
                name: a
                driverClass: A
                limits: {broker: {cpus: 2, memory: 2g}, clients: {cpus: 0.5, memory: 256m}}
                """).limits();

        assertThat(limits.broker().limit()).isEqualTo(new ProcessLimit(2.0, 2L << 30));
        assertThat(limits.clients().limit()).isEqualTo(new ProcessLimit(0.5, 256L << 20));
        assertThat(read("name: a\ndriverClass: A").limits())
                .isEqualTo(new DriverFileLimits(NO_LIMIT, NO_LIMIT, NO_LIMIT));
        assertThat(read("name: a\ndriverClass: A\nlimits: {clients: {cpus: 1}}").limits())
                .isEqualTo(new DriverFileLimits(NO_LIMIT, new ProcessLimitSettings(1.0, null), NO_LIMIT));
        assertThat(read("name: a\ndriverClass: A\nlimits: {eachClient: {cpus: 0.5, memory: 256m}}")
                        .limits()
                        .eachClient()
                        .limit())
                .isEqualTo(new ProcessLimit(0.5, 256L << 20));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limits: {broker: {cpus: 0}} | limits.broker.cpus: must be a number of processors from 0.01 to 4096, such as 2"
                        + " or 0.5, got 0.0",
                "limits: {clients: {cpus: two}} | limits.clients.cpus: must be a number, got 'two'",
                "limits: {broker: {memory: 2gb}} | limits.broker.memory: must be a size such as 512m or 2g, at least 16m, got"
                        + " '2gb'",
                "limits: {broker: {memory: 15m}} | limits.broker.memory: must be a size such as 512m or 2g, at least 16m, got"
                        + " '15m'",
                "limits: {broker: {cpu: 1}} | limits.broker.cpu: unknown key, did you mean 'cpus'?",
                "limits: {client: {cpus: 1}} | limits.client: unknown key, did you mean 'clients'?",
                "limits: {eachClient: {memory: 127m}} | limits.eachClient.memory: must be at least 128m, since each producer and"
                        + " each consumer is then a JVM of its own, got '127m'",
                "limits: 2 | limits: must be a mapping of keys to values, got 2",
            })
    void refusesLimitsThatAreNone(String line, String problem) {
        assertThatThrownBy(() -> read("name: a\ndriverClass: A\n" + line))
                .isInstanceOf(ConfigException.class)
                .hasMessage(folder.resolve("driver.yaml") + ": " + problem);
    }

    @Test
    void refusesALimitOfAllClientsBesideOneOfEach() {
        assertThatThrownBy(() -> read("name: a\ndriverClass: A\nlimits: {clients: {cpus: 2}, eachClient: {cpus: 1}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("driver.yaml: limits.eachClient: must not stand beside clients");
    }

    @Test
    void refusesAHeapThatIsLargerThanTheMemoryWhereverTheLimitComesFrom() throws Exception {
        String problem = folder.resolve("driver.yaml")
                + ": localBroker.heap: must not be larger than limits.broker.memory, 1g, got '2g'";
        String driver = "name: a\ndriverClass: A\nlocalBroker: {heap: 2g}\n";
        assertThatThrownBy(() -> read(driver + "limits: {broker: {memory: 1g}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(problem);

        DriverFile file = read(driver);
        DriverFileLimits tight = new DriverFileLimits(new ProcessLimitSettings(null, "1g"), NO_LIMIT, NO_LIMIT);
        assertThatThrownBy(() -> file.withLimits(tight))
                .isInstanceOf(ConfigException.class)
                .hasMessage(problem);
        DriverFileLimits wide = new DriverFileLimits(new ProcessLimitSettings(1.5, "2048m"), NO_LIMIT, NO_LIMIT);
        assertThat(file.withLimits(wide).limits()).isEqualTo(wide);
        assertThat(file.withLimits(wide).localBroker()).isEqualTo(file.localBroker());
    }

    @Test
    void bindsADriverWithoutKeys() throws Exception {
        assertThat(read("name: a\ndriverClass: A").driver().bind(Nothing.class)).isEqualTo(new Nothing());
    }

    @Test
    void acceptsResetAsOmbsFilesHaveIt() throws Exception {
        DriverFile file = read("name: a\ndriverClass: A\nreplicationFactor: 1\nreset: true");

        assertThat(file.driver().bind(Own.class)).isEqualTo(new Own(1, null, null));
        assertThat(file.driver().bind(WithReset.class)).isEqualTo(new WithReset(1, true));
    }

    private DriverFile read(String yaml) throws ConfigException, IOException {
        return DriverFile.read(Files.writeString(folder.resolve("driver.yaml"), yaml));
    }
}
