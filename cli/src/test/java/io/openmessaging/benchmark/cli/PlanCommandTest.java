package io.openmessaging.benchmark.cli;

import static io.openmessaging.benchmark.cli.TestInstallation.BROKERED_DRIVER;
import static io.openmessaging.benchmark.cli.TestInstallation.DRIVER;
import static io.openmessaging.benchmark.cli.TestInstallation.ENDLESS;
import static io.openmessaging.benchmark.cli.TestInstallation.WORKLOAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Plans from the command line to the results folder, with fake systems. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class PlanCommandTest {

    private static final String PLAN = """
            name: example
            repetitions: 2
            systems: {one: one.yaml, two: two.yaml}
            experiments:
              - name: count
                workload: workload.yaml
                cases: [{name: 100 B, messageSize: 100}, {name: 50 B, messageSize: 50}]
            """;

    private static final String PUBLISHED = """
            study: example
            values:
              - {source: Table 1, experiment: count, system: one, case: 50 B, metric: publishRate, value: 1000}
            claims:
              - {id: one-is-faster, source: "§5", text: One is faster., holds: "publishRate(count, one, *) > publishRate(count, two, *)"}
              - {id: it-runs, source: "§5", text: Anything is published., holds: 'publishRate(count, one, "50 B") > 0.000001'}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    private String plan = "";

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        installation.file("one.yaml", DRIVER.replace("Fake\n", "One\n"));
        installation.file("two.yaml", DRIVER.replace("Fake\n", "Two\n"));
        installation.file("workload.yaml", WORKLOAD);
        plan = installation.file("plan.yaml", PLAN);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private List<Path> folders() throws IOException {
        Path results = installation.current().resolve("results");
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(results)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** The only folder of results. */
    private Path results() throws IOException {
        assertThat(folders()).hasSize(1);
        return folders().get(0);
    }

    private JsonNode manifest() throws IOException {
        return TestInstallation.json(results().resolve("manifest.json"));
    }

    private List<String> statuses() throws IOException {
        return manifest()
                .path("runs")
                .valueStream()
                .map(run ->
                        run.path("system").asString() + " " + run.path("status").asString())
                .toList();
    }

    private static List<String> headings(Outcome outcome) {
        return outcome.out()
                .lines()
                .filter(line -> line.matches("run \\d+ of .*"))
                .toList();
    }

    private void assertRefused(Outcome outcome, String... lines) {
        assertThat(outcome.err().lines()).containsExactly(lines);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void aPlanRunsToItsEndWithTheSystemsTakingTurns() throws Exception {
        Outcome outcome = installation.run("plan", plan);

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(headings(outcome))
                .containsExactly(
                        "run 1 of 8: count/one/100 B, repetition 1",
                        "run 2 of 8: count/two/100 B, repetition 1",
                        "run 3 of 8: count/one/50 B, repetition 1",
                        "run 4 of 8: count/two/50 B, repetition 1",
                        "run 5 of 8: count/one/100 B, repetition 2",
                        "run 6 of 8: count/two/100 B, repetition 2",
                        "run 7 of 8: count/one/50 B, repetition 2",
                        "run 8 of 8: count/two/50 B, repetition 2");
        assertThat(outcome.out()).contains("plan example: 8 OK, 0 INVALID, 0 failed, 0 skipped, 0 remaining");
        JsonNode run = TestInstallation.json(results().resolve("runs/count-one-50-b-2.json"));
        assertThat(run.path("plan").toString())
                .isEqualTo("{\"name\":\"example\",\"experiment\":\"count\",\"system\":\"one\",\"case\":\"50 B\","
                        + "\"parameters\":{\"messageSize\":50},\"repetition\":2,\"timeScale\":1.0}");
        assertThat(run.path("messageSize").asInt()).isEqualTo(50);
        assertThat(run.path("seed").asLong()).isEqualTo(2);
        assertThat(TestInstallation.json(results().resolve("runs/count-one-50-b-1.json"))
                        .path("seed")
                        .asLong())
                .isEqualTo(1);
        assertThat(results().resolve("runs/count-one-50-b-2.hlog")).exists();
        JsonNode cells =
                TestInstallation.json(results().resolve("summary.json")).path("cells");
        assertThat(cells).hasSize(4);
        assertThat(cells.path(0).path("metrics").path("publishRate").path("n").asInt())
                .isEqualTo(2);
        assertThat(results().resolve("summary.csv")).exists();
        assertThat(results().resolve(".lock")).doesNotExist();
    }

    @Test
    void anSloOfThePlanIsJudgedForEachRun() throws Exception {
        String bounded = installation.file(
                "plan.yaml", PLAN, "    set: {slo: {publishLatency9999pct: 1h}}", "    systems: [one]");
        Outcome outcome = installation.run("plan", bounded);

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("plan example: 0 OK, 0 INVALID, 4 SLO_MISSED, 0 failed, 0 skipped, 0 remaining");
        JsonNode cell = TestInstallation.json(results().resolve("summary.json"))
                .path("cells")
                .path(0);
        assertThat(cell.path("sloMissed").asInt()).isEqualTo(2);
        assertThat(cell.path("invalid").asInt(-1)).isZero();
        assertThat(cell.path("metrics").path("publishRate").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void claimsBesideThePlanAreJudgedAtItsEndAndAgainOnRequest() throws Exception {
        installation.file("published.yaml", PUBLISHED);
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains(": one-is-faster (§5)", "claims of example: ");
        Path claims = results().resolve("claims.json");
        assertThat(TestInstallation.json(claims).path("claims")).hasSize(2);
        Files.delete(claims);
        String other = installation.file("other.yaml", PUBLISHED.replace("study: example", "study: elsewhere"));

        Outcome judged = installation.run("judge", results().toString(), "--published", other, "--all");

        assertThat(judged.exitCode()).as(judged.err()).isZero();
        assertThat(judged.out()).contains("claims of elsewhere: ");
        assertThat(TestInstallation.json(claims).path("study").asString()).isEqualTo("elsewhere");
    }

    @Test
    void claimsOfAPlanThatHasMovedAreFoundInTheInstallation() throws Exception {
        installation.run("plan", plan);
        Path study = Files.createDirectories(installation.home().resolve("workloads/study"));
        Files.move(Path.of(plan), study.resolve("moved.yaml"));
        Files.writeString(study.resolve("published.yaml"), PUBLISHED);

        Outcome judged = installation.run("judge", results().toString());

        assertThat(judged.exitCode()).as(judged.err()).isZero();
        assertThat(judged.out())
                .contains("claims of example: ", "judged by FOLDER/home/workloads/study/published.yaml,");

        // A plan that has changed since is known by its folder, which is named current here.
        Files.writeString(study.resolve("moved.yaml"), "changed");
        Files.move(study, installation.home().resolve("workloads/current"));
        assertThat(installation.run("judge", results().toString()).out())
                .contains("judged by FOLDER/home/workloads/current/published.yaml,");
        Files.move(
                installation.home().resolve("workloads/current"),
                installation.home().resolve("workloads/other"));
        assertThat(installation.run("judge", results().toString()).err())
                .contains(
                        "FOLDER/current/published.yaml: there is no such file of claims; name the file with --published");
    }

    @Test
    void whatCannotBeJudgedIsRefused() throws Exception {
        assertRefused(
                installation.run("judge", installation.current().toString()),
                "FOLDER/current: is not a results folder of a plan, manifest.json cannot be read");
    }

    @Test
    void claimsThatThePlanCannotDecideAreRefusedBeforeItRuns() throws Exception {
        installation.file("published.yaml", PUBLISHED.replace("count, two", "count, too"));
        assertRefused(
                installation.run("plan", plan, "--dry-run"),
                "FOLDER/current/published.yaml: claims[0].holds: column 49: unknown system of count, did you mean"
                        + " 'two'? ('too'), got 'publishRate(count, one, *) > publishRate(count, too, *)'");
    }

    @Test
    void aDryRunListsTheRunsAndLeavesNothing() throws Exception {
        installation.file(
                "plan.yaml",
                PLAN.replace("workload: workload.yaml", "workload: endless.yaml")
                        .replace("repetitions: 2", "repetitions: 2\ncooldown: 1m"));
        installation.file("endless.yaml", ENDLESS);
        Outcome outcome = installation.run("plan", plan, "--dry-run");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .contains(
                        "plan example: 8 runs",
                        "    2 × 1h        count/one/100 B",
                        "all together: about 8h7m, 7m of it cool-downs, plus the time that brokers take to start");
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void theTimeOfARunThatEndsWithItsMessagesIsNotZero() {
        assertThat(installation.run("plan", plan, "--dry-run").out().lines())
                .contains(
                        "    2 × ?         count/one/100 B",
                        "all together: as long as the messages take, plus the time that brokers take to start");
    }

    @Test
    void aPlanEndsWithATableOfItsSystemsAndAnAnswer() {
        assertThat(installation.run("plan", plan, "--output", "elsewhere").out())
                .containsPattern("(?m)^system +msg/s +publish p50 ")
                .containsPattern("(?m)^count/100 B:\n(one|two) +[0-9.,()]+ ")
                .containsPattern("(?m)^count/100 B: (one|two|Only|No) .*");
        assertThat(installation.current().resolve("elsewhere")).isDirectory();
    }

    /** Runs in the form that a dry run lists. */
    private static List<String> inOrder(Outcome outcome) {
        return headings(outcome).stream()
                .map(line -> line.replaceFirst("run \\d+ of \\d+: ", ""))
                .toList();
    }

    @Test
    void aShuffledPlanIsRunInTheOrderThatADryRunWithItsSeedLists() throws Exception {
        installation.file("plan.yaml", PLAN.replace("repetitions: 2", "repetitions: 2\norder: shuffled"));
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        long seed = manifest().path("seed").asLong();

        installation.file(
                "plan.yaml", PLAN.replace("repetitions: 2", "repetitions: 2\norder: shuffled\nseed: " + seed));
        Outcome dry = new TestInstallation(folder).run("plan", plan, "--dry-run");
        assertThat(dry.out()).contains("all runs, in the order that seed " + seed + " gives\n");
        List<String> listed = dry.out()
                .lines()
                .filter(line -> line.contains(", repetition "))
                .map(line -> line.trim().split(" {2}")[1])
                .toList();
        assertThat(inOrder(outcome)).hasSize(8).doesNotHaveDuplicates().isEqualTo(listed);
    }

    @Test
    void aDryRunSaysThatItsSeedIsNotTheOneThatWillBeDrawn() throws Exception {
        installation.file("plan.yaml", PLAN + "order: shuffled\n");
        Outcome dry = installation.run("plan", plan, "--dry-run");
        assertThat(dry.out())
                .containsPattern(
                        "all runs, in the order that seed (\\d+) gives; another one is drawn when the plan starts,"
                                + " unless it sets seed: \\1\n")
                .contains("runs of each cell\n", "    2 × ", "    1  count/");
    }

    @Test
    void aShuffledPlanGoesOnInItsOrder() throws Exception {
        installation.file(
                "plan.yaml",
                PLAN.replace(
                                "messageSize: 50}",
                                "messageSize: 50, messageCount: ~, producerRate: 1000, testDuration: 1h}")
                        + "order: shuffled\n");
        Outcome outcome = installation.runUntil(
                "an endless run is on its way",
                () -> installation.printed().contains("/50 B, repetition"),
                "plan",
                plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(130);

        Outcome dry = new TestInstallation(folder).run("plan", plan, "--dry-run");
        assertThat(dry.out())
                .contains("the order that seed " + manifest().path("seed").asLong() + " gives\n")
                .contains("is unfinished, and would resume in ");
        assertThat(dry.out().lines().filter(line -> line.contains(", repetition ")))
                .map(line -> line.trim().split(" {2}")[1])
                .startsWith(inOrder(outcome).toArray(String[]::new));
    }

    @Test
    void onlyTheWantedRunsAreDone() throws Exception {
        Outcome outcome = installation.run("plan", plan, "--only", "count/two/50*", "--output-dir", "elsewhere");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(headings(outcome)).hasSize(2).allMatch(line -> line.contains("count/two/50 B"));
        assertThat(outcome.out()).contains("2 OK, 0 INVALID, 0 failed, 0 skipped, 6 not chosen (--only), 0 remaining");
        assertThat(installation.current().resolve("elsewhere")).isDirectory();
        assertThat(folders()).isEmpty();
    }

    @Test
    void aShortenedPlanSaysSoInEveryResult() throws Exception {
        installation.file(
                "published.yaml",
                PUBLISHED.replace(
                        "publishRate(count, one, *) > publishRate(count, two, *)", "publishRate(count, one, *) < 0"));
        Outcome outcome = installation.run("plan", plan, "--time-scale", "0.5", "--repetitions", "1");
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("shortened by 0.5")
                .contains("claims of example: 0 holds, 0 does not hold, 1 direction only, 1 not decidable");
        JsonNode run = TestInstallation.json(results().resolve("runs/count-one-50-b-1.json"));
        assertThat(run.path("plan").path("timeScale").asDouble()).isEqualTo(0.5);
        assertThat(run.path("workloadEffective").path("messageCount").asInt()).isEqualTo(100);
        assertThat(manifest().path("timeScale").asDouble()).isEqualTo(0.5);
        assertThat(TestInstallation.json(results().resolve("summary.json"))
                        .path("timeScale")
                        .asDouble())
                .isEqualTo(0.5);
    }

    @Test
    void aRunThatFailsDoesNotStopThePlan() throws Exception {
        installation.file("one.yaml", DRIVER + "failingCall: CREATE_PRODUCERS\n");
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(statuses()).containsOnly("one failed", "two done").hasSize(8);
        assertThat(manifest().path("runs").path(0).path("reason").asString()).isNotEmpty();
        assertThat(outcome.out()).contains("4 OK, 0 INVALID, 4 failed");
        JsonNode cell = TestInstallation.json(results().resolve("summary.json"))
                .path("cells")
                .path(0);
        assertThat(cell.path("failed").asInt()).isEqualTo(2);
    }

    @Test
    void aFailureThatTheWorkloadExpectsIsNoProblemOfThePlan() throws Exception {
        installation.file("one.yaml", DRIVER + "failingCall: CLOSE_PRODUCER\n");
        installation.file("workload.yaml", WORKLOAD + "expect: [failure]\n");
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(statuses()).containsOnly("one failed", "two done");
        assertThat(outcome.out()).contains("4 OK, 0 INVALID, 4 failed (4 as expected)");
    }

    @Test
    void aFailureBeforeTheLoadIsNotTheExpectedOne() throws Exception {
        installation.file("one.yaml", DRIVER + "failingCall: CREATE_PRODUCERS\n");
        installation.file("workload.yaml", WORKLOAD + "expect: [failure]\n");
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("4 OK, 0 INVALID, 4 failed, ");
    }

    @Test
    void aDryRunEstimatesByTheRatesOfTheStudy() throws Exception {
        installation.file(
                "plan.yaml",
                PLAN.replace("two: two.yaml", "")
                        .replace("repetitions: 2", "repetitions: 1")
                        .replace("messageSize: 50}", "messageSize: 1_000_000, messageCount: 60_000}")
                        .replace(", {name: 50 B", ", {name: large")
                        .replace("{name: 100 B, messageSize: 100}, ", ""));
        installation.file("published.yaml", """
                study: example
                values:
                  - {source: Table 1, experiment: count, system: one, case: large, metric: publishRate, value: 1000}
                """);
        Outcome outcome = installation.run("plan", plan, "--dry-run");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("all together: about 1m, by the rates that the study reports, plus the time")
                .contains("messages written: about 60.0 GB, up to 60.0 GB by one run (count/one/large)");
    }

    @Test
    void aShiftEndsAfterTheRunUnderWayAndTheNextOneResumes() throws Exception {
        Outcome first = installation.run("plan", plan, "--stop-after", "1ms", "--cooldown", "0s");
        assertThat(first.exitCode()).as(first.out() + first.err()).isEqualTo(3);
        assertThat(headings(first)).hasSize(1);
        assertThat(first.out())
                .contains("stopped after 1ms, as asked, with 7 of its runs left; run the same command to resume")
                .contains("cool-downs of 0s instead of the plan's");
        Outcome second = installation.run("plan", plan, "--cooldown", "0s");
        assertThat(second.exitCode()).as(second.out() + second.err()).isZero();
        assertThat(headings(second)).as("of both").hasSize(8).doesNotHaveDuplicates();
        assertThat(statuses()).containsOnly("one done", "two done").hasSize(8);
        assertThat(TestInstallation.json(results().resolve("summary.json"))
                        .path("noted")
                        .path(0)
                        .asString())
                .isEqualTo("cool-downs: 0s instead of the plan's");
    }

    @ParameterizedTest
    @CsvSource({"--stop-after, soon", "--cooldown, -1s"})
    void aTimeThatIsNoneIsRefused(String option, String time) {
        assertRefused(
                installation.run("plan", plan, option, time),
                "benchmark: " + option + " must be a duration such as 500ms, 30s, 5m or 1h30m, got '" + time + "'");
    }

    @Test
    void aSystemThatCannotRunHereIsSkippedAndThatIsNoFailure() throws Exception {
        installation.file("one.yaml", BROKERED_DRIVER);
        FakeLocalBroker.onStart(() -> {
            throw new BrokerUnavailableException("there is no program docker on the PATH\nsecond line", null);
        });
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(FakeLocalBroker.started()).hasSize(1);
        assertThat(outcome.out().lines()).contains("skipped all 4 runs of one: there is no program docker on the PATH");
        assertThat(statuses()).containsOnly("one skipped", "two done");
        assertThat(manifest().path("runs").path(0).path("reason").asString())
                .isEqualTo("there is no program docker on the PATH");
    }

    @Test
    void aBrokerThatDoesNotStartFailsItsRunAndIsTriedAgain() throws Exception {
        installation.file("one.yaml", BROKERED_DRIVER);
        FakeLocalBroker.onStart(() -> {
            if (FakeLocalBroker.started().size() == 1) {
                throw new LocalBrokerException("not ready in time", null);
            }
        });
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err().lines()).containsExactly("benchmark: not ready in time");
        assertThat(statuses().stream().filter("one failed"::equals)).hasSize(1);
        assertThat(statuses().stream().filter("one done"::equals)).hasSize(3);
    }

    /** One broker runs at a time: a system that returns after another one gets a new broker. */
    @ParameterizedTest
    @CsvSource({"one: one.yaml, false, 1", "one: one.yaml, true, 4", "'one: one.yaml, two: two.yaml', false, 4"})
    void aBrokerIsKeptAsLongAsItsSystemIsOnTurn(String systems, boolean restart, int brokers) throws Exception {
        installation.file("one.yaml", BROKERED_DRIVER);
        installation.file(
                "plan.yaml",
                PLAN.replace("one: one.yaml, two: two.yaml", systems) + "restartBroker: " + restart + "\n");
        Outcome outcome = installation.run("plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(FakeLocalBroker.started()).hasSize(brokers);
        assertThat(FakeLocalBroker.closed()).isEqualTo(brokers);
    }

    @Test
    void whoeverResumesWithAnotherClientIsWarned() throws Exception {
        Outcome first = installation.run("plan", plan, "--stop-after", "1ms");
        assertThat(first.out()).doesNotContain("warning: one");
        Path result;
        try (Stream<Path> runs = Files.list(results().resolve("runs"))) {
            result = runs.filter(file -> file.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
        String version = TestInstallation.json(result).path("clientVersion").asString();
        Files.writeString(result, Files.readString(result).replace("\"" + version + "\"", "\"client 0.1\""));

        Outcome second = installation.run("plan", plan);

        assertThat(second.out())
                .containsOnlyOnce("warning: one: finished runs had client 0.1, the others will have " + version
                        + " and be no repetitions of them; --fresh starts over")
                .doesNotContain("warning: two");
    }

    @Test
    void anInterruptedPlanGoesOnWithTheRunThatWasUnderWay() throws Exception {
        installation.file(
                "plan.yaml",
                PLAN.replace(
                        "messageSize: 50}", "messageSize: 50, messageCount: ~, producerRate: 1000, testDuration: 1h}"));
        Outcome outcome = installation.runUntil(
                "the third run is on its way", () -> installation.printed().contains("run 3 of 8"), "plan", plan);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(130);
        assertThat(outcome.out()).contains("2 OK", "6 remaining", "run the same command to resume");
        assertThat(statuses()).startsWith("one done", "two done", "one pending", "two pending");

        TestInstallation again = new TestInstallation(folder);
        Outcome dry = again.run("plan", plan, "--dry-run");
        assertThat(dry.out()).contains("is unfinished, and would resume in ");
    }

    @Test
    void theCoolDownCanBeInterrupted() throws Exception {
        installation.file("plan.yaml", PLAN.replace("repetitions: 2", "cooldown: 20h"));
        Outcome outcome = installation.runUntil(
                "it cools down", () -> installation.printed().contains("cooling down for 20h"), "plan", plan);
        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(headings(outcome)).hasSize(1);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void optionsOfAPlanNeedOne() throws Exception {
        String workload = installation.file("w.yaml", WORKLOAD);
        assertRefused(
                installation.run("--only=x", "--fresh", workload),
                "benchmark: Unknown options: '--only=x', '--fresh'",
                "'--only=x' is an option of 'bin/benchmark plan'.");
    }

    @Test
    void aPlanTakesNoWorkloads() throws Exception {
        String workload = installation.file("w.yaml", WORKLOAD);
        assertRefused(
                installation.run("plan", plan, workload),
                "benchmark: unexpected argument: 'FOLDER/current/w.yaml'",
                "Try 'bin/benchmark plan --help'.");
    }

    @Test
    void aPlanAndAJudgementAreTwoCommands() {
        assertRefused(
                installation.run("--plan", plan, "--judge", "x"),
                "benchmark: --judge: conflicts with --plan, which judges its results itself");
    }

    @Test
    void aScaleThatIsNoneIsRefused() {
        assertRefused(
                installation.run("plan", plan, "--time-scale", "2"),
                "benchmark: --time-scale must be a number above 0 and up to 1, got 2.0");
    }

    @Test
    void aDriverThatIsNotInstalledIsRefusedOnce() throws Exception {
        installation.file("two.yaml", "name: Two\ndriverClass: example.Two\n");
        assertRefused(
                installation.run("plan", plan),
                "FOLDER/current/two.yaml: driverClass: must be the class of an installed driver; there are drivers for"
                        + " [fake]; put the jars of another driver into their own folder below FOLDER/distribution/drivers,"
                        + " got 'example.Two'");
    }
}
