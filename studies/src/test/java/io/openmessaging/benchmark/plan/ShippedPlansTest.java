package io.openmessaging.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.config.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the plans that come with the project; the studies' plans must match what the studies ran. */
class ShippedPlansTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path WORKLOADS = HOME.resolve("workloads");

    @ParameterizedTest
    @CsvSource({
        "kaczor-2022, 48 + 8",
        "maharjan-2023, 24 + 20",
        "chy-2023, 10 * 16 + 10 * 4",
        "ramadan-2026, 10 * 18 + 10 * 2",
        "superstreams-2026, 2 * 16"
    })
    void aStudyHasAsManyRunsAsItHad(String study, String runs) throws Exception {
        assertThat(plan(study).runs()).hasSize(sum(runs));
        assertThat(plan(study).name()).isEqualTo(study);
    }

    /** Evaluates a sum of products. */
    private static int sum(String text) {
        return Stream.of(text.split(" \\+ "))
                .mapToInt(product -> Stream.of(product.split(" \\* "))
                        .mapToInt(Integer::parseInt)
                        .reduce(1, Math::multiplyExact))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void aStudySaysWhatItPublishedAndHowItIsReproduced(String study) throws Exception {
        Path folder = WORKLOADS.resolve(study);
        PublishedFile published = PublishedFile.read(folder.resolve("published.yaml"));

        assertThat(published.keys().study()).isEqualTo(study);
        assertThat(published.keys().citation()).isNotBlank();
        assertThat(published.keys().values()).isNotEmpty();
        assertThat(published.keys().claims()).hasSizeGreaterThan(5);
        assertThat(Files.readAllLines(folder.resolve("README.md")))
                .as("one page, with its parts")
                .hasSizeLessThan(60)
                .contains("## Reproduced exactly", "## What differs")
                .anyMatch(line -> line.startsWith("## Contradictions"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workloads/compare/plan.yaml",
                "workloads/faults/plan.yaml",
                "workloads/faults/plan-as-root.yaml",
                "workloads/faults/plan-with-backlog.yaml",
                "workloads/kaczor-2022/plan-warm.yaml",
                "examples/choose-a-broker/plan.yaml",
                "examples/tune-batching/plan.yaml",
                "examples/prove-a-release/plan.yaml"
            })
    void otherPlansAreValid(String file) throws Exception {
        assertThat(plan(HOME.resolve(file)).runs()).isNotEmpty();
    }

    @Test
    void smokePlansAreValidAndShort() throws Exception {
        Plan smoke = plan("smoke");
        Plan allSystems = plan(WORKLOADS.resolve("smoke/all-systems.yaml"));

        assertThat(smoke.runs())
                .isNotEmpty()
                .allSatisfy(run -> assertThat(run.setup().cooldown()).isZero());
        assertThat(allSystems.runs().stream().map(run -> run.setup().driver().driverClass()))
                .as("a run with each driver but the one that is inside the process")
                .doesNotHaveDuplicates()
                .hasSize(8);
        for (PlannedRun run : allSystems.runs()) {
            Workload workload = run.setup().workload().workload();
            assertThat(workload.testTime().orElseThrow().plus(workload.warmupTime()))
                    .isLessThan(Duration.ofMinutes(1));
        }
    }

    @Test
    void kaczorHasEverySizeWithEveryCount() throws Exception {
        Plan plan = plan("kaczor-2022");

        for (String system : List.of("kafka", "rabbitmq")) {
            assertThat(workloads(plan, "own-application", system)
                            .map(workload -> workload.messageCount() + " of " + workload.messageSize()))
                    .containsExactlyElementsOf(Stream.of(10, 100, 1_000, 10_000, 100_000, 1_000_000)
                            .flatMap(size -> Stream.of(10, 100, 500, 1_000).map(count -> count + " of " + size))
                            .toList());
        }
        assertThat(workloads(plan, "tools", "kafka-tools")
                        .map(workload -> workload.producersPerTopic() + ":" + workload.consumerPerSubscription() + " "
                                + workload.messageCount() + " of " + workload.messageSize()))
                .containsExactly(
                        "1:1 1000000 of 1000", "2:1 1000000 of 1000", "1:2 1000000 of 1000", "2:2 1000000 of 1000");
    }

    @Test
    void maharjanRunsFiveMinutesAtTheRatesOfItsFigures() throws Exception {
        Plan plan = plan("maharjan-2023");

        assertThat(plan.runs())
                .allSatisfy(run ->
                        assertThat(run.setup().workload().workload().testTime()).contains(Duration.ofMinutes(5)));
        assertThat(workloads(plan, "throughput", "redis").map(Workload::messageSize))
                .containsExactly(10, 100, 1_000, 10_000, 50_000, 100_000);
        assertThat(workloads(plan, "latency", "redis")
                        .map(workload -> workload.producerRate() + " of " + workload.messageSize()))
                .containsExactly("32 of 32768", "96 of 32768", "192 of 32768", "320 of 32768", "480 of 32768");
    }

    @Test
    void chyAndRamadanRestTenMinutesWithAFreshBroker() throws Exception {
        for (String study : List.of("chy-2023", "ramadan-2026")) {
            assertThat(plan(study).runs()).allSatisfy(run -> {
                assertThat(run.setup().cooldown()).isEqualTo(Duration.ofMinutes(10));
                assertThat(run.setup().restartBroker()).isTrue();
            });
        }
        assertThat(workloads(plan("chy-2023"), "sizes", "artemis")
                        .map(Workload::messageSize)
                        .distinct())
                .containsExactly(1_000, 10_000, 100_000, 1_000_000);
    }

    @Test
    void ramadanFollowsItsMethodSection() throws Exception {
        Plan plan = plan("ramadan-2026");

        assertThat(distinct(plan, "message-size"))
                .containsExactly("10000 of 1000 to 1", "10000 of 10000 to 1", "10000 of 100000 to 1");
        assertThat(distinct(plan, "volume"))
                .containsExactly("10000 of 10000 to 1", "50000 of 10000 to 1", "100000 of 10000 to 1");
        assertThat(distinct(plan, "consumers"))
                .containsExactly("50000 of 10000 to 1", "50000 of 10000 to 5", "50000 of 10000 to 10");
        assertThat(distinct(plan, "stress")).containsExactly("100000 of 10000 to 1");
        assertThat(workloads(plan, "stress", "kafka").map(Workload::sendWithin)).containsOnly(Duration.ofSeconds(10));
    }

    private static List<String> distinct(Plan plan, String experiment) {
        return workloads(plan, experiment, "rabbitmq")
                .map(workload -> workload.messageCount() + " of " + workload.messageSize() + " to "
                        + workload.consumerPerSubscription())
                .distinct()
                .toList();
    }

    /** The report gives the rate of each of two producers, the workloads give the rate of both together. */
    @Test
    void superstreamsHasTheReportsLoads() throws Exception {
        Plan plan = plan("superstreams-2026");

        assertThat(plan.runs()).allSatisfy(run -> {
            assertThat(run.setup().workload().workload().partitionsPerTopic()).isEqualTo(8);
            assertThat(run.setup().cooldown())
                    .isEqualTo(Duration.ofSeconds(run.cell().experiment().equals("soak") ? 120 : 60));
        });
        assertThat(workloads(plan, "rate", "redpanda")
                        .map(workload -> workload.producerRate() + " by " + workload.producersPerTopic()))
                .containsExactly("2000 by 2", "10000 by 2", "20000 by 2");
        assertThat(workloads(plan, "soak", "redpanda")
                        .map(workload -> workload.testTime().orElseThrow()))
                .containsExactly(Duration.ofHours(1));
        // Each client is a process, and RabbitMQ refuses a second one that reads a subscription without this.
        assertThat(plan.runs())
                .filteredOn(run -> run.cell().system().equals("rabbitmq"))
                .allSatisfy(
                        run -> assertThat(Files.readString(run.setup().driver().path()))
                                .contains("streamSingleActiveConsumer: true"));
        Workload ramp = workloads(plan, "ramp", "redpanda").findFirst().orElseThrow();
        assertThat(ramp.producersPerTopic()).isEqualTo(64);
        assertThat(ramp.consumerPerSubscription()).isEqualTo(4);
    }

    @Test
    void everyFileOfAFolderIsUsed() throws Exception {
        for (String study : List.of("kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026")) {
            TreeSet<Path> there = new TreeSet<>();
            try (Stream<Path> files = Files.walk(WORKLOADS.resolve(study))) {
                files.filter(file -> file.toString().endsWith(".yaml"))
                        .filter(file -> !file.getFileName().toString().startsWith("plan"))
                        .filter(file -> !file.endsWith("published.yaml"))
                        .forEach(there::add);
            }
            TreeSet<Path> used = files(plan(study));
            for (String variant : variants(study)) {
                PlanRequest request = new PlanRequest(
                        WORKLOADS.resolve(study).resolve("plan.yaml"),
                        List.of(),
                        TimeScale.FULL,
                        null,
                        null,
                        List.of(variant));
                used.addAll(files(PlanReader.read(request, HOME)));
            }
            assertThat(used).as(study).containsAll(there);
        }
    }

    private static TreeSet<Path> files(Plan plan) {
        TreeSet<Path> files = new TreeSet<>();
        for (PlannedRun run : plan.runs()) {
            files.add(run.setup().workload().path().toAbsolutePath().normalize());
            files.add(run.setup().driver().path().toAbsolutePath().normalize());
        }
        return files;
    }

    /** Returns the values of {@code --drivers} in the commands of a study's README, with absolute paths. */
    private static List<String> variants(String study) throws Exception {
        return Pattern.compile("--drivers (\\S+)=(workloads/\\S+)")
                .matcher(Files.readString(WORKLOADS.resolve(study).resolve("README.md")))
                .results()
                .map(option -> option.group(1) + "=" + HOME.resolve(option.group(2)))
                .toList();
    }

    private static Stream<Workload> workloads(Plan plan, String experiment, String system) {
        return plan.runs().stream()
                .filter(run -> run.cell().experiment().equals(experiment))
                .filter(run -> run.cell().system().equals(system))
                .map(run -> run.setup().workload().workload());
    }

    private static Plan plan(String folder) throws PlanException {
        return plan(WORKLOADS.resolve(folder).resolve("plan.yaml"));
    }

    private static Plan plan(Path file) throws PlanException {
        return PlanReader.read(new PlanRequest(file, List.of(), TimeScale.FULL, null, null, List.of()), HOME);
    }
}
