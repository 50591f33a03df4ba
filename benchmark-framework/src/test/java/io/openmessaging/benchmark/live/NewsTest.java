package io.openmessaging.benchmark.live;

import static io.openmessaging.benchmark.live.LiveFixture.period;
import static io.openmessaging.benchmark.live.LiveFixture.request;
import static io.openmessaging.benchmark.live.LiveFixture.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** News that readers receive, with a clock of the test's own. */
class NewsTest {

    /** The events of a short run, as they are sent; the tests of the page in a browser use them, too. */
    private static final Path GOLDEN = Path.of("src/test/resources/io/openmessaging/benchmark/live/page/events.txt");

    private static final long BEGIN_MS = 1_800_000_000_000L;
    private static final Agenda TWO = new Agenda(
            "compare",
            List.of(
                    new Agenda.Item("rates/fake/slow, repetition 1", Duration.ofSeconds(60), null),
                    new Agenda.Item("rates/fake/<b>fast</b>, repetition 1", Duration.ofSeconds(60), null)));

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final List<News> told = new ArrayList<>();
    private long nowMs = BEGIN_MS;
    private final LiveRuns runs = new LiveRuns(() -> nowMs);

    @SuppressWarnings("NullAway.Init") // set before each test
    private RunListener run;

    @BeforeEach
    void begin() throws Exception {
        runs.agenda(TWO);
        runs.preparing(1, "getting a broker ready");
        nowMs += 4_000;
        run = runs.begin(request(folder));
    }

    /** Follows the runs from now on, as a reader who is told everything at once. */
    private void follow() {
        told.add(known());
        runs.watch(() -> told.add(News.of(runs, told.get(told.size() - 1).version())));
    }

    private News known() {
        return News.of(runs, 0);
    }

    private News.Run knownRun() {
        return Objects.requireNonNull(known().run());
    }

    private static Totals counts(long messages) {
        return new Totals(messages, messages - 5, 0, List.of(messages - 20, messages - 10), 0);
    }

    private static RunState state(
            RunPhase phase, @Nullable Totals totals, @Nullable RunPeriod period, @Nullable List<Finding> findings) {
        return new RunState(
                phase,
                Optional.of(Duration.ofSeconds(50)),
                1000,
                totals,
                period,
                Map.of("send: <i>x</i>", 3L),
                findings);
    }

    private void second(long messages) {
        nowMs += 1_000;
        run.state(state(RunPhase.MEASURE, counts(messages), null, List.of()));
    }

    private static RunPeriod periodOf(long startS, long endS) {
        ResourceUse broker = new ResourceUse(
                "fake-1",
                Role.BROKER,
                Map.of(
                        Figure.CPU_CORE_PERCENT, new FigureUse(10, 1_230, 150),
                        Figure.RESIDENT_BYTES, new FigureUse(10, 5_368_709_120.0, 536_870_912)));
        ResourceUse host =
                new ResourceUse("host", Role.HOST, Map.of(Figure.HOST_IDLE_PERCENT, new FigureUse(10, 250, 30)));
        PeriodSnapshot seen = period(startS, endS, counts(10_000), counts(10_000));
        return new RunPeriod(seen, new ResourcePeriod(List.of(broker, host)));
    }

    @Test
    void aLateReaderSeesTheWholeRun() {
        for (int i = 1; i <= 30; i++) {
            second(1_000L * i);
        }
        assertThat(knownRun().ticks().points()).hasSize(31);
        assertThat(knownRun().ticks().points().get(30).counts().sent()).isEqualTo(30_000);
        assertThat(knownRun().phases().points()).extracting(News.Phase::name).containsExactly("measure");
        assertThat(known().progress().current().title()).isEqualTo("rates/fake/slow, repetition 1");
    }

    @Test
    void whoKnowsEverythingIsToldOnlyTheState() {
        runs.finished(2, LiveRuns.SKIPPED, null);
        News.Run ofRun = Objects.requireNonNull(News.of(runs, runs.version()).run());
        assertThat(News.of(runs, runs.version()).rows()).isEmpty();
        assertThat(ofRun.ticks()).isEqualTo(new News.Part<>(1, List.of()));
        assertThat(ofRun.head().workload()).isEqualTo("load");
    }

    @Test
    void looksThatTellNothingNewAreNoPoints() {
        Totals totals = counts(1_000);
        nowMs += 1_000;
        run.state(state(RunPhase.WARM_UP, totals, null, List.of()));
        nowMs += 900;
        run.state(state(RunPhase.MEASURE, totals, null, List.of()));
        nowMs += 3;
        run.state(state(RunPhase.MEASURE, counts(1_900), null, List.of()));
        assertThat(knownRun().ticks().points())
                .as("the second was not counted again")
                .hasSize(3);
        nowMs += 4;
        run.state(state(RunPhase.MEASURE, counts(1_907), null, List.of()));
        assertThat(knownRun().ticks().points())
                .as("7 messages in 4 ms are no rate")
                .hasSize(3);
    }

    @Test
    void readersAreToldAllPointsAgainWhenPointsAreJoined() {
        for (int i = 1; i < LiveRun.MOST_TICKS; i++) {
            second(i);
        }
        follow();
        second(1_000_000);
        News.Part<LiveRun.Tick> joined =
                Objects.requireNonNull(told.get(1).run()).ticks();
        assertThat(joined.from()).isZero();
        assertThat(joined.points()).hasSize(LiveRun.MOST_TICKS / 2 + 1);
        assertThat(joined.points().get(joined.points().size() - 1).counts().sent())
                .isEqualTo(1_000_000);
    }

    @Test
    void theListsOfTheRunBeforeEndWithIt() throws Exception {
        second(1_000);
        follow();
        runs.begin(request(folder));
        News.Run next = Objects.requireNonNull(told.get(1).run());
        assertThat(next.phases()).isEqualTo(new News.Part<>(0, List.of()));
        assertThat(next.ticks().from()).isZero();
        assertThat(next.ticks().points()).hasSize(1);
    }

    @Test
    void twoDaysOfTwoHundredRunsStayBounded() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            second(i);
            run.state(state(RunPhase.MEASURE, counts(i), periodOf(10L * i, 10L * i + 10), List.of()));
            run.searchStep(new RunResult.SearchStep(i, i, 0, null, false));
            run.state(state(i % 2 == 0 ? RunPhase.SETTLE : RunPhase.MEASURE, counts(i), null, List.of()));
        }
        for (int i = 0; i < 1_200; i++) {
            runs.finished(i + 3, "OK", null);
        }
        int bytes = known().encoded().length;
        assertThat(known().rows()).hasSize(LiveRuns.MOST_ROWS);
        assertThat(known().progress().outcomes()).containsEntry("OK", 1_200);
        assertThat(bytes).isLessThan(600_000);
    }

    @Test
    void aFindingThatIsGoneStaysWithTheTimeAtWhichItWasFirstSeen() {
        nowMs += 10_000;
        long firstMs = nowMs;
        run.state(state(RunPhase.MEASURE, counts(1), null, List.of(Finding.targetRateMissed(1_000, 900))));
        nowMs += 10_000;
        run.state(state(RunPhase.MEASURE, counts(2), null, List.of(Finding.targetRateMissed(1_000, 950))));
        assertThat(knownRun().now().verdict()).isEqualTo("INVALID");
        assertThat(knownRun().now().findings()).hasSize(1);
        assertThat(knownRun().now().findings().get(0).text()).contains("950");

        nowMs += 10_000;
        run.state(state(RunPhase.MEASURE, counts(3), null, List.of()));
        Row.FindingRow row = knownRun().now().findings().get(0);
        assertThat(row.holds()).isFalse();
        assertThat(row.firstMs()).isEqualTo(firstMs);
        assertThat(knownRun().now().verdict()).isEqualTo("OK");
    }

    @Test
    void ofASweepNothingIsFoundBeforeItsEnd() {
        run.state(state(RunPhase.MEASURE, counts(1), null, null));
        assertThat(knownRun().now().verdict()).isNull();
    }

    /** The warm-up takes a minute by default, and the measurement, too. */
    @Test
    void theProgressIsThatOfTheRunWhileThereIsOne() throws Exception {
        second(1_000);
        nowMs += 30_000;
        run.state(state(RunPhase.MEASURE, counts(31_000), null, List.of()));
        assertThat(known().progress().current().done()).isEqualTo(0.75);
        runs.ended(result(request(folder), Verdict.OK));
        assertThat(known().progress().current().done()).isNull();
        runs.preparing(2, "getting a broker ready");
        assertThat(known().progress().current().done()).isNull();
        runs.begin(request(folder));
        assertThat(known().progress().current().done()).isZero();
    }

    @Test
    void aRunThatNeverBeganAndOneThatCouldNotBeWrittenHaveRows() throws Exception {
        runs.ended(result(request(folder), Verdict.OK));
        runs.finished(1, "OK", null);
        runs.finished(1, "FAILED", "results/x.json: cannot be written");
        runs.preparing(2, "getting a broker ready");
        runs.finished(2, LiveRuns.SKIPPED, "there is no fake here");

        assertThat(known().rows())
                .extracting(Row::outcome, Row::why)
                .containsExactly(
                        tuple("FAILED", "results/x.json: cannot be written"),
                        tuple("SKIPPED", "there is no fake here"));
        assertThat(known().progress().outcomes()).isEqualTo(Map.of("FAILED", 1, "SKIPPED", 1));
        assertThat(known().progress().endMs()).as("nothing is to come").isNull();
    }

    @Test
    void runsThatWereDoneBeforeThisProcessHaveRowsAndAreNotWaitedFor() {
        runs.agenda(new Agenda(
                "compare",
                List.of(
                        new Agenda.Item("first", Duration.ofSeconds(60), "INVALID"),
                        new Agenda.Item("second", Duration.ofSeconds(60), null))));
        runs.preparing(2, "cooling down for 5s");
        assertThat(known().rows()).extracting(Row::title, Row::outcome).containsExactly(tuple("first", "INVALID"));
        assertThat(known().progress().endMs()).isEqualTo(nowMs + 60_000);
        assertThat(known().progress().doing()).isEqualTo("cooling down for 5s");
    }

    @Test
    void runsWithoutAnAgendaAreCounted() throws Exception {
        LiveRuns bare = new LiveRuns(() -> nowMs);
        bare.begin(request(folder));
        bare.ended(result(request(folder), Verdict.OK));
        bare.begin(request(folder));
        bare.ended(result(request(folder), Verdict.INVALID));
        News known = News.of(bare, 0);
        assertThat(known.rows()).extracting(Row::outcome).containsExactly("OK", "INVALID");
        assertThat(known.progress().count()).isEqualTo(2);
    }

    @Test
    void longNamesAreCutOff() {
        runs.agenda(new Agenda("p".repeat(10_000), List.of(new Agenda.Item("t".repeat(10_000), Duration.ZERO, "OK"))));
        assertThat(known().progress().plan()).hasSizeLessThan(1_000);
        assertThat(known().rows().get(0).title()).hasSizeLessThan(1_000);
    }

    /** {@link News} and its records describe this form; a change has to update them and the page. */
    @Test
    void theFormOfEvents() throws Exception {
        follow();
        second(1_000);
        run.workers(List.of(
                new WorkerState(
                        "worker 1 (w1)", false, Optional.empty(), Optional.of(new Offset(-3_000, 41_000)), 250_000),
                new WorkerState(
                        "worker 2 (w2)", false, Optional.of("its process was restarted"), Optional.empty(), 0)));
        long faultNs = (nowMs - 500) * 1_000_000;
        FaultState fault =
                FaultState.ordered("killed leader", faultNs).begun("killed fake-1 (leader)", faultNs + 9_000_000);
        run.faults(List.of(fault));
        second(2_000);
        run.faults(List.of(fault.undone(faultNs + 700_000_000, null)));
        long startS = nowMs / 1_000;
        nowMs += 10_000;
        run.state(state(
                RunPhase.MEASURE,
                counts(11_000),
                periodOf(startS, startS + 10),
                List.of(Finding.targetRateMissed(1_000, 900))));
        run.searchStep(new RunResult.SearchStep(
                1_000, 900, 0, new RunResult.Breach("pace", "the confirmations fell behind the schedule"), false));
        runs.ended(result(request(folder), Verdict.INVALID, Finding.targetRateMissed(1_000, 900)));
        runs.over();

        StringBuilder all = new StringBuilder();
        told.forEach(news -> all.append(new String(news.encoded(), StandardCharsets.UTF_8)));
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, all);
        }
        assertThat(all.toString())
                .as("%s; -Dgolden.update=true writes it anew", GOLDEN)
                .isEqualTo(Files.readString(GOLDEN));
    }
}
