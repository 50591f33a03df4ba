package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads and payloads that come with the project. */
class ShippedFilesTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path WORKLOADS = HOME.resolve("workloads");

    /** All YAML files except plans, published results of studies, and driver files. */
    static List<Path> workloads() throws IOException {
        try (Stream<Path> files = Files.walk(WORKLOADS)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file ->
                            !String.valueOf(file.getFileName()).matches("(plan(-.*)?|published|all-systems)\\.yaml"))
                    .filter(file -> !file.resolveSibling("").endsWith("drivers"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void everyWorkloadIsValid(Path file) throws Exception {
        assertThat(WorkloadFile.read(file, HOME).workload().name()).isNotBlank();
    }

    @Test
    void ombsGeneralSetIsComplete() throws Exception {
        assertThat(workloads().stream().filter(file -> file.startsWith(WORKLOADS.resolve("omb"))))
                .as("as many as OMB has of these kinds")
                .hasSize(130);
    }

    @Test
    void whatLiesAtTheTopIsShort() throws Exception {
        List<Path> top = workloads().stream()
                .filter(file -> WORKLOADS.equals(file.getParent()))
                .toList();

        assertThat(top).isNotEmpty();
        for (Path file : top) {
            Workload workload = WorkloadFile.read(file, HOME).workload();
            assertThat(workload.testTime())
                    .as(file.toString())
                    .hasValueSatisfying(test ->
                            assertThat(test.plus(workload.warmupTime())).isLessThanOrEqualTo(Duration.ofMinutes(1)));
            assertThat(workload.producerRate()).isInstanceOf(Fixed.class);
        }
    }

    @Test
    void aFileOfOmbHasOmbsValues() throws Exception {
        Workload threeProducers = omb("1-topic-3-partition-100b-3producers");
        assertThat(threeProducers.producerRate()).isEqualTo(new MaxSustainable());
        assertThat(threeProducers.producersPerTopic()).isEqualTo(3);
        assertThat(threeProducers.testTime()).contains(Duration.ofMinutes(15));

        Workload backlog = omb("1-topic-100-partitions-1kb-4p-4c-200k-backlog");
        assertThat(backlog.producerRate()).isEqualTo(new Fixed(200_000));
        assertThat(backlog.consumerBacklogSizeGB()).isEqualTo(512);
        assertThat(backlog.randomizedPayloadPoolSize()).isEqualTo(1000);

        Workload manyTopics = omb("1m-topic-1kb-4p-4c-500k");
        assertThat(manyTopics.topics()).isEqualTo(1_000_000);
        assertThat(manyTopics.consumerPerSubscription()).isEqualTo(4);
    }

    private static Workload omb(String name) throws ConfigException {
        return WorkloadFile.read(WORKLOADS.resolve("omb").resolve(name + ".yaml"), HOME)
                .workload();
    }

    @ParameterizedTest
    @CsvSource({"100b, 100", "200b, 200", "400b, 400", "1Kb, 1024", "2Kb, 2048", "4Kb, 4096"})
    void everyPayloadHasTheSizeInItsName(String name, int sizeBytes) throws IOException {
        byte[] payload = Files.readAllBytes(HOME.resolve("payload").resolve("payload-" + name + ".data"));

        assertThat(payload).hasSize(sizeBytes);
        assertThat(new String(payload, StandardCharsets.US_ASCII)).matches("[0-9a-z \n]+");
    }
}
