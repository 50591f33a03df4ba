package io.openmessaging.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFolderTest {

    private static final Environment HERE = Environment.here("test", "test");
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);
    private static final Clock LATER = Clock.fixed(Instant.parse("2026-11-21T13:00:00Z"), ZoneOffset.UTC);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("kafka.yaml"), "name: Kafka\ndriverClass: example.Kafka\n");
        Files.writeString(folder.resolve("plan.yaml"), """
                name: example
                repetitions: 3
                systems: {kafka: kafka.yaml}
                experiments: [{name: only, workload: workload.yaml}]
                """);
        Files.writeString(folder.resolve("workload.yaml"), """
                topics: 1
                partitionsPerTopic: 1
                messageSize: 100
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 1000
                testDurationMinutes: 15
                """);
    }

    private Plan plan() throws PlanException {
        return plan(TimeScale.FULL);
    }

    private Plan plan(TimeScale scale) throws PlanException {
        Path file = folder.resolve("plan.yaml");
        return PlanReader.read(new PlanRequest(file, List.of(), scale, null, null, List.of()), folder);
    }

    @Test
    void aPlanIsTheSameInAnotherFolder() throws Exception {
        Map<String, String> before = plan().digests();
        Path moved = Files.createDirectory(folder.resolve("moved"));
        for (String file : List.of("kafka.yaml", "plan.yaml", "workload.yaml")) {
            Files.move(folder.resolve(file), moved.resolve(file));
        }
        Plan plan = PlanReader.read(
                new PlanRequest(moved.resolve("plan.yaml"), List.of(), TimeScale.FULL, null, null, List.of()), moved);
        assertThat(plan.digests()).isEqualTo(before).containsOnlyKeys("kafka.yaml", "plan.yaml", "workload.yaml");
    }

    /** The records replace the workload's messageSize. */
    @Test
    void theRecordsOfAFolderAreFilesOfThePlan() throws Exception {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                Files.readString(plan)
                        .replace(
                                "workload: workload.yaml",
                                "workload: workload.yaml, set: {payloadFile: records, payloadRecords: FILES}"));
        Path records = Files.createDirectory(folder.resolve("records"));
        Files.writeString(records.resolve("1.json"), "0123456789");
        Files.writeString(records.resolve("2.json"), "a".repeat(1000));
        Files.writeString(records.resolve(".hidden"), "");
        assertThat(plan().digests())
                .containsOnlyKeys("kafka.yaml", "plan.yaml", "records/1.json", "records/2.json", "workload.yaml");
        assertThat(plan().runs().get(0).setup().workload().workload().meanMessageBytes())
                .isEqualTo(505);
    }

    private PlanFolder open(Clock clock) throws PlanException {
        return PlanFolder.open(folder.resolve("results"), plan(), false, clock, HERE);
    }

    private static List<Status> statuses(PlanFolder open) {
        return open.manifest().runs().stream().map(Entry::status).toList();
    }

    private static void writeResult(PlanFolder open, PlannedRun run, String text) throws IOException {
        Files.writeString(open.fileOf(run), text);
    }

    @Test
    void aNewFolderHasEverythingStillToBeDone() throws Exception {
        try (PlanFolder open = open(NOON)) {
            assertThat(open.path()).isEqualTo(folder.resolve("results/example-20261121-120000"));
            assertThat(open.resumed()).isFalse();
            assertThat(Manifest.read(open.path())).isEqualTo(open.manifest());
            assertThat(statuses(open)).containsOnly(Status.PENDING);
            assertThat(open.manifest().begin()).isEqualTo("2026-11-21T12:00:00Z");
        }
    }

    @Test
    void whatIsDoneIsNotDoneAgain() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{}");
            open.finished(plan.runs().get(0), Verdict.INVALID, null);
            open.finished(plan.runs().get(1), Verdict.FAILED, "nothing listened");
            assertThat(statuses(open)).containsExactly(Status.DONE, Status.FAILED, Status.PENDING);
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(open.path()).isEqualTo(folder.resolve("results/example-20261121-120000"));
            assertThat(open.resumed()).isTrue();
            assertThat(statuses(open))
                    .as("it may have been chance")
                    .containsExactly(Status.DONE, Status.PENDING, Status.PENDING);
            open.finished(plan.runs().get(1), Verdict.FAILED, "nothing listens");
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsExactly(Status.DONE, Status.FAILED, Status.PENDING);
            Entry first = open.entry(plan.runs().get(0));
            assertThat(first.verdict()).isEqualTo(Verdict.INVALID);
            assertThat(first.file()).isEqualTo("runs/only-kafka-default-1.json");
            assertThat(open.entry(plan.runs().get(1)).reason()).isEqualTo("nothing listens");
        }
    }

    @Test
    void theSeedOfAShuffledPlanIsDrawnOnceAndKept() throws Exception {
        Path file = folder.resolve("plan.yaml");
        Files.writeString(file, Files.readString(file) + "order: shuffled\n");
        Long drawn;
        try (PlanFolder open = open(NOON)) {
            drawn = open.manifest().seed();
            assertThat(drawn).isNotNull();
            assertThat(Manifest.read(open.path()).seed()).isEqualTo(drawn);
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(open.resumed()).isTrue();
            assertThat(open.manifest().seed()).isEqualTo(drawn);
            open.finished(plan().runs().get(1), Verdict.INVALID, null);
            assertThat(open.manifest().seed()).isEqualTo(drawn);
        }
    }

    @Test
    void aPlanThatIsRunAsItIsWrittenHasNoSeed() throws Exception {
        try (PlanFolder open = open(NOON)) {
            assertThat(open.manifest().seed()).isNull();
            assertThat(Files.readString(open.path().resolve(Manifest.NAME))).contains("\"seed\": null");
        }
    }

    @Test
    void anInterruptedRunIsStillToBeDone() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{\"verdict\": \"INTERRUPTED\"}");
            open.finished(plan.runs().get(0), Verdict.INTERRUPTED, null);
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsOnly(Status.PENDING);
            assertThat(open.entry(plan.runs().get(0)).reason()).isEqualTo("interrupted");
        }
    }

    @Test
    void aResultThatMissedItsSloIsDoneEvenIfTheManifestDoesNotSaySo() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{\"verdict\": \"SLO_MISSED\"}");
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(open.entry(plan.runs().get(0)).status()).isEqualTo(Status.DONE);
            assertThat(open.entry(plan.runs().get(0)).verdict()).isEqualTo(Verdict.SLO_MISSED);
        }
    }

    /** The process ended after it had written the result and before it wrote the manifest. */
    @Test
    void aResultThatTheManifestDoesNotKnowCounts() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{\"verdict\": \"OK\"}");
            writeResult(open, plan.runs().get(1), "{\"verdict\": \"FAILED\"}");
            writeResult(open, plan.runs().get(2), "");
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsExactly(Status.DONE, Status.FAILED, Status.PENDING);
        }
    }

    @Test
    void aSystemThatCouldNotRunIsTriedAgain() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            open.skipped(plan.runs().get(0), "there is no docker");
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsOnly(Status.PENDING);
        }
    }

    /** The process may end again before the second attempt. */
    @Test
    void theResultOfAFailedRunIsNotThatOfItsSecondAttempt() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{\"verdict\": \"FAILED\"}");
            open.finished(plan.runs().get(0), Verdict.FAILED, "it broke");
        }
        open(LATER).close();
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsOnly(Status.PENDING);
        }
    }

    @Test
    void aFailureThatThePlanExpectsIsNotRepeated() throws Exception {
        Path workload = folder.resolve("workload.yaml");
        Files.writeString(workload, Files.readString(workload) + "expect: [failure]\n");
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            writeResult(open, plan.runs().get(0), "{\"verdict\": \"FAILED\", \"phases\": [{\"name\": \"measure\"}]}");
            open.finished(plan.runs().get(0), Verdict.FAILED, "as in the study");
            open.finished(plan.runs().get(1), Verdict.FAILED, "its broker did not start");
            assertThat(open.hasFailedAsExpected(plan.runs().get(0))).isTrue();
            assertThat(open.hasFailedAsExpected(plan.runs().get(1))).isFalse();
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(statuses(open)).containsExactly(Status.FAILED, Status.PENDING, Status.PENDING);
        }
    }

    @Test
    void aFolderWithNothingToDoIsLeftAlone() throws Exception {
        Plan plan = plan();
        try (PlanFolder open = open(NOON)) {
            for (PlannedRun run : plan.runs()) {
                open.finished(run, Verdict.FAILED, "no");
            }
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(open.resumed()).isTrue();
            for (PlannedRun run : plan.runs()) {
                open.finished(run, Verdict.FAILED, "still no");
            }
        }
        try (PlanFolder open = open(LATER)) {
            assertThat(open.path()).isEqualTo(folder.resolve("results/example-20261121-130000"));
        }
    }

    /** Otherwise the command would always return to the older folder. */
    @Test
    void aNewerFolderThatIsCompleteSupersedesAnUnfinishedOne() throws Exception {
        Plan plan = plan();
        open(NOON).close();
        try (PlanFolder open = PlanFolder.open(folder.resolve("results"), plan, true, LATER, HERE)) {
            for (PlannedRun run : plan.runs()) {
                open.finished(run, Verdict.OK, null);
            }
        }
        assertThat(PlanFolder.unfinished(folder.resolve("results"), plan)).isEmpty();
    }

    @Test
    void otherCooldownsBeginAnew() throws Exception {
        open(NOON).close();
        Path file = folder.resolve("plan.yaml");
        Plan quick = PlanReader.read(
                new PlanRequest(file, List.of(), TimeScale.FULL, null, Duration.ofMinutes(1), List.of()), folder);
        assertThat(quick.runs().get(0).setup().cooldown()).isEqualTo(Duration.ofMinutes(1));
        try (PlanFolder open = PlanFolder.open(folder.resolve("results"), quick, false, LATER, HERE)) {
            assertThat(open.resumed()).isFalse();
            assertThat(Manifest.read(open.path()).cooldown()).isEqualTo("1m");
        }
        try (PlanFolder open = PlanFolder.open(folder.resolve("results"), quick, false, LATER, HERE)) {
            assertThat(open.resumed()).isTrue();
        }
    }

    @Test
    void anotherScaleOrTheWishForAFreshOneBeginsAnew() throws Exception {
        open(NOON).close();
        Path results = folder.resolve("results");
        try (PlanFolder open = PlanFolder.open(results, plan(new TimeScale(0.5)), false, NOON, HERE)) {
            assertThat(open.path()).isEqualTo(results.resolve("example-20261121-120000-2"));
        }
        try (PlanFolder open = PlanFolder.open(results, plan(), true, LATER, HERE)) {
            assertThat(open.path()).isEqualTo(results.resolve("example-20261121-130000"));
        }
        assertThat(PlanFolder.unfinished(results, plan())).contains(results.resolve("example-20261121-130000"));
    }

    @Test
    void aPlanThatHasChangedIsNotGoneOnWith() throws Exception {
        open(NOON).close();
        Path workload = folder.resolve("workload.yaml");
        Files.writeString(workload, Files.readString(workload).replace("1000", "2000"));
        assertThatThrownBy(() -> open(LATER))
                .isInstanceOf(PlanException.class)
                .hasMessage(folder.resolve("results/example-20261121-120000")
                        + ": was started with other files than the plan has now (workload.yaml): restore them to resume it,"
                        + " or start over with --fresh");
        assertThat(folder.resolve("results").toFile().list()).containsExactly("example-20261121-120000");
    }

    @Test
    void twoNeverWorkInOneFolder() throws Exception {
        try (PlanFolder open = open(NOON)) {
            assertThatThrownBy(() -> open(LATER))
                    .isInstanceOf(PlanException.class)
                    .hasMessage(open.path() + ": another process is running this plan in this folder");
        }
        open(LATER).close();
    }

    @Test
    void whatIsNoManifestIsRefusedWithASentence() throws Exception {
        assertThatThrownBy(() -> Manifest.read(folder))
                .isInstanceOf(PlanException.class)
                .hasMessage(folder + ": is not a results folder of a plan, manifest.json cannot be read");
        Files.writeString(folder.resolve("manifest.json"), "{\"schemaVersion\": 1, \"plan\": 3}");
        assertThatThrownBy(() -> Manifest.read(folder))
                .isInstanceOf(PlanException.class)
                .hasMessageEndingWith("manifest.json: is not a manifest of a plan: plan must be a string");
    }
}
