package io.openmessaging.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.config.TimeScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanReaderTest {

    private static final String PLAN = """
            name: example
            repetitions: 2
            cooldown: 30s
            systems: {kafka: kafka.yaml, redis: redis.yaml}
            experiments:
              - name: sizes
                workload: workload.yaml
                cases:
                  - {name: 1 KB, messageSize: 1000}
                  - {name: 10 KB, messageSize: 10000}
                set: {testDuration: 5m}
              - name: once
                workload: workload.yaml
                systems: [redis]
                repetitions: 1
                cooldown: 0s
                restartBroker: true
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(folder.resolve("home"));
        file("kafka.yaml", "name: Kafka\ndriverClass: example.Kafka\n");
        file("redis.yaml", "name: Redis\ndriverClass: example.Redis\n");
        file("workload.yaml", """
                topics: 1
                partitionsPerTopic: 1
                messageSize: 100
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 1000
                warmupDuration: 10s
                testDurationMinutes: 15
                """);
    }

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        return Files.writeString(file, text);
    }

    private Plan read(String text) throws Exception {
        return read(text, List.of(), TimeScale.FULL, null, List.of());
    }

    private Plan read(
            String text, List<String> only, TimeScale scale, @Nullable Integer repetitions, List<String> drivers)
            throws Exception {
        Path plan = file("plan.yaml", text);
        return PlanReader.read(new PlanRequest(plan, only, scale, repetitions, null, drivers), folder.resolve("home"));
    }

    private static List<String> order(Plan plan) {
        return plan.selected().stream()
                .map(run -> run.cell().path() + " " + run.repetition())
                .toList();
    }

    private void assertRefused(String text, String... lines) {
        assertThat(problems(catchThrowable(() -> read(text)))).containsExactly(lines);
    }

    private List<String> problems(Throwable thrown) {
        assertThat(thrown).isInstanceOf(PlanException.class);
        return String.valueOf(thrown.getMessage())
                .replace(folder + "/", "")
                .lines()
                .toList();
    }

    @Test
    void repetitionsComeOneAfterTheOtherAndSystemsTakeTurns() throws Exception {
        Plan plan = read(PLAN);
        assertThat(order(plan))
                .containsExactly(
                        "sizes/kafka/1 KB 1",
                        "sizes/redis/1 KB 1",
                        "sizes/kafka/10 KB 1",
                        "sizes/redis/10 KB 1",
                        "once/redis/default 1",
                        "sizes/kafka/1 KB 2",
                        "sizes/redis/1 KB 2",
                        "sizes/kafka/10 KB 2",
                        "sizes/redis/10 KB 2");
        assertThat(plan.runs()).extracting(PlannedRun::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(plan.runs().get(4).fileName()).isEqualTo("once-redis-default-1.json");
    }

    private static List<String> order(Plan plan, @Nullable Long seed) {
        return plan.selectedInOrder(seed).stream()
                .map(run -> run.cell().path() + " " + run.repetition())
                .toList();
    }

    @Test
    void theRunsOfASystemCanFollowEachOther() throws Exception {
        Plan plan = read(PLAN + "order: systems\n");
        assertThat(plan.drawSeed()).isNull();
        assertThat(order(plan, null))
                .containsExactly(
                        "sizes/kafka/1 KB 1",
                        "sizes/kafka/10 KB 1",
                        "sizes/redis/1 KB 1",
                        "sizes/redis/10 KB 1",
                        "once/redis/default 1",
                        "sizes/kafka/1 KB 2",
                        "sizes/kafka/10 KB 2",
                        "sizes/redis/1 KB 2",
                        "sizes/redis/10 KB 2");
    }

    @Test
    void aSeedShufflesAllRunsWhateverTheirRepetition() throws Exception {
        Plan plan = read(PLAN + "order: shuffled\nseed: 20261122\n");
        assertThat(plan.drawSeed()).isEqualTo(20261122L);
        assertThat(order(plan, plan.drawSeed()))
                .containsExactly(
                        "sizes/kafka/1 KB 2",
                        "sizes/redis/1 KB 1",
                        "sizes/kafka/1 KB 1",
                        "sizes/redis/1 KB 2",
                        "sizes/redis/10 KB 2",
                        "once/redis/default 1",
                        "sizes/kafka/10 KB 2",
                        "sizes/kafka/10 KB 1",
                        "sizes/redis/10 KB 1");
        assertThat(order(plan, 1L)).isNotEqualTo(order(plan, 2L)).containsExactlyInAnyOrderElementsOf(order(plan));
        // The numbers of the runs do not change, and neither does the order that a trend over cases follows.
        assertThat(plan.runs()).extracting(PlannedRun::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(order(plan)).isEqualTo(order(read(PLAN)));
    }

    @Test
    void whatIsLeftOutDoesNotChangeTheOrderOfTheRest() throws Exception {
        String shuffled = PLAN + "order: SHUFFLED\nseed: 7\n";
        Plan some = read(shuffled, List.of("sizes/redis"), TimeScale.FULL, null, List.of());
        assertThat(order(some, some.drawSeed()))
                .hasSize(4)
                .isEqualTo(order(read(shuffled), 7L).stream()
                        .filter(run -> run.startsWith("sizes/redis"))
                        .toList());
    }

    @Test
    void withoutASeedOneIsDrawn() throws Exception {
        Plan plan = read(PLAN + "order: shuffled\n");
        assertThat(plan.seed()).isNull();
        assertThat(plan.drawSeed()).isBetween(0L, 999_999L);
        assertThat(read(PLAN).drawSeed()).isNull();
        assertThat(order(read(PLAN), null)).isEqualTo(order(read(PLAN + "order: written\n")));
    }

    @Test
    void anOrderThatIsNoneAndASeedForNothingAreRefused() {
        assertRefused(
                PLAN + "order: random\n", "plan.yaml: order: must be one of WRITTEN, SYSTEMS, SHUFFLED, got 'random'");
        assertRefused(
                PLAN + "seed: 5\n",
                "plan.yaml: seed: must be absent without order: shuffled, since it has no effect, got 5");
        assertRefused(PLAN + "order: shuffled\nseed: five\n", "plan.yaml: seed: must be a whole number, got 'five'");
    }

    @Test
    void theCaseLiesOverTheExperimentAndThatOverTheFile() throws Exception {
        PlannedRun run = read(PLAN).runs().get(2);
        assertThat(run.setup().workload().workload().messageSize()).isEqualTo(10_000);
        assertThat(run.setup().workload().workload().testTime()).contains(Duration.ofMinutes(5));
        assertThat(run.setup().workload().workload().warmupTime()).isEqualTo(Duration.ofSeconds(10));
        assertThat(run.setup().workload().settings())
                .containsEntry("messageSize", 10_000L)
                .doesNotContainKey("testDurationMinutes");
        assertThat(run.cell().parameters()).hasToString("{messageSize=10000}");
    }

    @Test
    void anExperimentOverridesWhatThePlanSays() throws Exception {
        Plan plan = read(PLAN);
        assertThat(plan.runs().get(0).setup().cooldown()).isEqualTo(Duration.ofSeconds(30));
        assertThat(plan.runs().get(0).setup().restartBroker()).isFalse();
        assertThat(plan.runs().get(4).setup().cooldown()).isZero();
        assertThat(plan.runs().get(4).setup().restartBroker()).isTrue();
    }

    @Test
    void parametersAreCombined() throws Exception {
        Plan plan = read("""
                name: example
                systems: {kafka: kafka.yaml}
                experiments:
                  - name: grid
                    workload: workload.yaml
                    parameters: {messageSize: [10, 100], producersPerTopic: [1, 2]}
                """);
        assertThat(plan.cells().cases("grid"))
                .containsExactly(
                        "messageSize=10, producersPerTopic=1",
                        "messageSize=10, producersPerTopic=2",
                        "messageSize=100, producersPerTopic=1",
                        "messageSize=100, producersPerTopic=2");
        assertThat(plan.runs().get(3).setup().workload().workload().producersPerTopic())
                .isEqualTo(2);
        assertThat(plan.runs().get(3).fileName()).isEqualTo("grid-kafka-messagesize-100-producerspertopic-2-1.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sizes                | 8",
                "sizes/kafka          | 4",
                "*/redis              | 5",
                "sizes/*/1 KB         | 4",
                "*/*/1*               | 8",
                "*/*/? KB             | 4",
                "once/redis/default   | 1",
            })
    void onlyWhatMatchesIsSelected(String pattern, int count) throws Exception {
        Plan plan = read(PLAN, List.of(pattern), TimeScale.FULL, null, List.of());
        assertThat(plan.selected()).hasSize(count);
        assertThat(plan.runs()).hasSize(9);
    }

    @Test
    void severalPatternsAddUpAndOneWithoutAMatchIsRefused() throws Exception {
        assertThat(read(PLAN, List.of("once", "sizes/kafka/1 KB"), TimeScale.FULL, null, List.of())
                        .selected())
                .hasSize(3);
        Throwable thrown =
                catchThrowable(() -> read(PLAN, List.of("once", "size/kafka"), TimeScale.FULL, null, List.of()));
        assertThat(problems(thrown))
                .containsExactly("benchmark: --only size/kafka: matches none of the runs of plan.yaml: sizes/kafka,"
                        + " sizes/redis, once/redis");
    }

    @Test
    void aScaleShortensTheWorkloadAndTheCoolDown() throws Exception {
        PlannedRun run = read(PLAN, List.of(), new TimeScale(0.1), null, List.of())
                .runs()
                .get(0);
        assertThat(run.setup().workload().workload().testTime()).contains(Duration.ofSeconds(30));
        assertThat(run.setup().cooldown()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void theCommandLineMayRepeatEverythingAsOftenAsItLikes() throws Exception {
        assertThat(read(PLAN, List.of(), TimeScale.FULL, 3, List.of()).runs()).hasSize(15);
        assertThat(problems(catchThrowable(() -> read(PLAN, List.of(), TimeScale.FULL, 0, List.of()))))
                .containsExactly("benchmark: --repetitions must be at least 1, got 0");
    }

    @Test
    void driversAreReplacedByNameOrByTheirClass() throws Exception {
        Path mine = file("mine.yaml", "name: Mine\ndriverClass: example.Redis\n");
        for (String replacement : List.of(mine.toString(), "redis=" + mine)) {
            Plan plan = read(PLAN, List.of(), TimeScale.FULL, null, List.of(replacement));
            assertThat(plan.runs().get(0).setup().driver().name()).isEqualTo("Kafka");
            assertThat(plan.runs().get(1).setup().driver().name()).isEqualTo("Mine");
        }
    }

    @Test
    void aReplacementThatFitsNowhereIsRefused() throws Exception {
        Path mine = file("mine.yaml", "name: Mine\ndriverClass: example.Pulsar\n");
        file("redis.yaml", "name: Redis\ndriverClass: example.Kafka\n");
        Path kafka = file("my-kafka.yaml", "name: Mine\ndriverClass: example.Kafka\n");
        Throwable thrown = catchThrowable(() -> read(
                PLAN,
                List.of(),
                TimeScale.FULL,
                null,
                List.of(mine.toString(), kafka.toString(), "kafkka=" + kafka, "redis=" + mine, "redis=" + kafka)));
        assertThat(problems(thrown))
                .containsExactly(
                        "benchmark: --drivers mine.yaml: no system of plan.yaml has its driverClass; name the system it is"
                                + " for: NAME=mine.yaml",
                        "benchmark: --drivers my-kafka.yaml: kafka, redis have its driverClass; name the system it is for:"
                                + " NAME=my-kafka.yaml",
                        "benchmark: --drivers kafkka=my-kafka.yaml: unknown system of plan.yaml, did you mean 'kafka'?",
                        "benchmark: --drivers: redis is named twice, with mine.yaml and my-kafka.yaml");
    }

    @Test
    void limitsLieOverThoseOfTheDriverFile() throws Exception {
        file(
                "kafka.yaml",
                "name: Kafka\ndriverClass: example.Kafka\nlimits: {broker: {cpus: 1}, clients: {cpus: 3}}\n");
        Plan plan = read("limits: {broker: {cpus: 2, memory: 2g}}\n" + PLAN);
        assertThat(plan.runs().get(0).setup().driver().settings())
                .hasToString("{name=Kafka, driverClass=example.Kafka,"
                        + " limits={broker={cpus=2, memory=2g}, clients={cpus=3}}}");
        assertThat(plan.runs().get(5).setup().driver())
                .isSameAs(plan.runs().get(0).setup().driver());
    }

    @Test
    void limitsThatAreWrongAreNamedWhereTheyAreWritten() throws Exception {
        file("kafka.yaml", "name: Kafka\ndriverClass: example.Kafka\nlimits: {clients: {cpus: -1}}\n");
        assertThat(problems(catchThrowable(() -> read("limits: {broker: {cpu: 2}}\n" + PLAN))))
                .contains("plan.yaml: limits.broker.cpu: unknown key, did you mean 'cpus'?")
                .anyMatch(line -> line.startsWith("kafka.yaml: limits.clients.cpus: "));
    }

    @Test
    void includedPlansComeFirstAndFindTheirOwnFiles() throws Exception {
        file("other/plan.yaml", """
                name: other
                repetitions: 2
                systems: {pulsar: pulsar.yaml}
                experiments: [{name: first, workload: own.yaml}]
                """);
        file("other/pulsar.yaml", "name: Pulsar\ndriverClass: example.Pulsar\n");
        file("other/own.yaml", Files.readString(folder.resolve("workload.yaml")));
        Plan plan = read("include: [other/plan.yaml, other/plan.yaml]\n"
                + PLAN.replace("systems: [redis]", "systems: [pulsar]"));
        assertThat(plan.name()).isEqualTo("example");
        assertThat(order(plan))
                .startsWith("first/pulsar/default 1", "sizes/pulsar/1 KB 1", "sizes/kafka/1 KB 1")
                .contains("once/pulsar/default 1", "first/pulsar/default 2");
        assertThat(plan.digests()).hasSize(7);
    }

    @Test
    void aCycleOfIncludesIsRefused() throws Exception {
        file("other.yaml", "name: other\ninclude: [plan.yaml]\n");
        assertRefused(
                "include: [other.yaml]\n" + PLAN,
                "plan.yaml: include: must not refer to itself: plan.yaml → other.yaml → plan.yaml");
    }

    @Test
    void namesWithTwoMeaningsAreRefused() throws Exception {
        file("other.yaml", """
                name: other
                systems: {kafka: redis.yaml}
                experiments: [{name: sizes, workload: workload.yaml}]
                """);
        assertRefused(
                "include: [other.yaml]\n" + PLAN,
                "plan.yaml: systems.kafka: is another driver file in other.yaml, got 'kafka.yaml'",
                "plan.yaml: systems.redis: must be a driver file of its own, is also that of kafka, got 'redis.yaml'",
                "plan.yaml: experiments[0].name: is the name of another experiment in other.yaml, got 'sizes'");
    }

    @Test
    void aDriverNamedTwiceIsRefused() {
        assertRefused(
                PLAN.replace("redis: redis.yaml", "redis: kafka.yaml"),
                "plan.yaml: systems.redis: must be a driver file of its own, is also that of kafka, got 'kafka.yaml'");
        assertRefused(
                PLAN.replace("systems: [redis]", "systems: [redis, redis]"),
                "plan.yaml: experiments[1].systems: must name each system only once, got 'redis'");
        assertRefused(
                PLAN.replace("redis: redis.yaml", "kafka: redis.yaml"),
                "plan.yaml: systems.kafka: must occur only once, is repeated in line 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "repetitions: 2 | repetitions: 0 | repetitions: must be a number from 1 to 1000, got 0",
                "name: example | name: a/b | name: must be letters, digits, '.', '_' and '-' only, got 'a/b'",
                "cooldown: 30s | cooldwn: 30s | cooldwn: unknown key, did you mean 'cooldown'?",
                "cooldown: 30s | cooldown: 2d | cooldown: must be at most 1d, got '2d'",
                "- name: sizes | - name: Sizes | experiments[0].name: must be lower-case letters, digits and '-' only, got 'Sizes'",
                "- name: sizes | - name: once | experiments[1].name: is the name of another experiment in plan.yaml, got 'once'",
                "systems: [redis] | systems: [reddis] | experiments[1].systems: unknown system, did you mean 'redis'?, got 'reddis'",
                "{name: 10 KB, | {name: 1 KB, | experiments[0].cases[1].name: must be different from that of other cases, got '1 KB'",
                "{name: 10 KB, | { | experiments[0].cases[1].name: must be the name of the case",
                "{name: 10 KB, messageSize | {name: 10 KB, mesageSize | experiments[0].cases[1].mesageSize: unknown key, did you mean 'messageSize'?",
                "messageSize: 10000 | messageSize: -1 | experiments[0].cases[1].messageSize: must be a number from 1 to 268435456, got -1",
                "testDuration: 5m | testDuration: 5 | experiments[0].set.testDuration: must be a duration such as 500ms, 30s, 5m or 1h30m, got 5",
                "set: {testDuration: 5m} | parameters: {messageSize: [1]} | experiments[0].parameters: must be absent with cases: use either named sets of keys, or every combination of values",
                "restartBroker: true | parameters: {messageSize: [10, 10]} | experiments[1].parameters.messageSize: must have each value only once, got '10'",
            })
    void whatIsWrongIsSaidWhereItIsWritten(String before, String after, String problem) {
        assertThat(PLAN).contains(before);
        assertRefused(PLAN.replaceFirst(java.util.regex.Pattern.quote(before), after), "plan.yaml: " + problem);
    }

    @Test
    void filesThatAreNotThereAreNamedWithWhoNamesThem() throws Exception {
        assertRefused(
                PLAN.replace("    systems: [redis]\n", "")
                        .replace(
                                "  workload: workload.yaml\n    repetitions",
                                "  workload: workloat.yaml\n    repetitions"),
                "plan.yaml: experiments[1].workload: there is no such file beside the plan or in "
                        + "home, got 'workloat.yaml'");
        Files.delete(folder.resolve("redis.yaml"));
        assertRefused(PLAN, "redis.yaml: there is no such file");
    }

    @Test
    void aProblemOfTheWorkloadFileIsItsOwn() throws Exception {
        file("workload.yaml", Files.readString(folder.resolve("workload.yaml")).replace("topics: 1", "topics: 0"));
        assertRefused(PLAN, "workload.yaml: topics: must be a number from 1 to 1000000, got 0");
    }

    @Test
    void aPlanWithoutExperimentsHasNothingToRun() {
        assertRefused("name: empty\nsystems: {kafka: kafka.yaml}\n", "plan.yaml: experiments: must have at least one");
    }

    @Test
    void namesOfFilesAreDifferentEvenWhereCasesDifferInSignsOnly() throws Exception {
        Plan plan = read(PLAN.replace("10 KB", "1_KB"));
        assertThat(plan.runs())
                .extracting(PlannedRun::fileName)
                .doesNotHaveDuplicates()
                .contains("sizes-kafka-1-kb-1.json", "sizes-kafka-1-kb_2-1.json");
    }
}
