package io.openmessaging.benchmark.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressConsoleTest {

    private static final String ERASE = "\r\u001b[K";
    private static final Optional<Duration> LEFT = Optional.of(Duration.ofSeconds(25));

    private final StringWriter out = new StringWriter();
    private final ProgressConsole terminal = new ProgressConsole(new PrintWriter(out), true);
    private final ProgressConsole pipe = new ProgressConsole(new PrintWriter(out), false);

    /** The latest reported state. */
    private RunState told = RunState.NONE;

    private int periods;

    private static PeriodSnapshot period() {
        Totals counts = new Totals(10_000, 10_000, 0, List.of(9_990L), 0);
        return new PeriodSnapshot(0, TimeUnit.SECONDS.toNanos(10), counts, counts, Map.of());
    }

    private RunState phase(RunPhase phase) {
        return told(phase, Optional.empty(), told.totals(), told.lastPeriod());
    }

    private RunState tick(RunPhase phase, Optional<Duration> left, Totals totals) {
        return told(phase, left, totals, told.lastPeriod());
    }

    private RunState period(RunPhase phase, Optional<Duration> left) {
        long startNs = TimeUnit.SECONDS.toNanos(10L * periods++);
        Totals counts = period().counts();
        PeriodSnapshot ended =
                new PeriodSnapshot(startNs, startNs + TimeUnit.SECONDS.toNanos(10), counts, counts, Map.of());
        return told(phase, left, counts, new RunPeriod(ended, ResourcePeriod.NONE));
    }

    private RunState told(
            RunPhase phase, Optional<Duration> left, @Nullable Totals totals, @Nullable RunPeriod lastPeriod) {
        told = new RunState(phase, left, 1000, totals, lastPeriod, Map.of(), List.of());
        return told;
    }

    @Test
    void inAPipeThereIsOneLineAPeriodAndNoControlCharacter() {
        pipe.state(phase(RunPhase.WARM_UP));
        pipe.state(tick(RunPhase.WARM_UP, LEFT, Totals.none(1)));
        pipe.state(period(RunPhase.WARM_UP, LEFT));
        pipe.state(tick(RunPhase.WARM_UP, LEFT, Totals.none(1)));
        pipe.state(phase(RunPhase.MEASURE));
        pipe.state(period(RunPhase.MEASURE, Optional.empty()));
        pipe.clear();

        assertThat(out.toString().lines()).hasSize(2);
        assertThat(out.toString().lines().toList().get(0))
                .startsWith("warm-up")
                .contains("25s left", "pub", "con", "msg/s", "backlog 10");
        assertThat(out.toString().lines().toList().get(1)).startsWith("measure").doesNotContain("left");
        assertThat(out.toString()).doesNotContain("\r", "\u001b").endsWith(System.lineSeparator());
    }

    @Test
    void inAPipeShortPeriodsDoNotGetALineEach() {
        for (int half = 1; half <= 50; half++) {
            PeriodSnapshot measured = period();
            PeriodSnapshot ended = new PeriodSnapshot(
                    TimeUnit.MILLISECONDS.toNanos(500L * half - 500),
                    TimeUnit.MILLISECONDS.toNanos(500L * half),
                    measured.counts(),
                    measured.totals(),
                    Map.of());
            pipe.state(told(RunPhase.MEASURE, LEFT, measured.totals(), new RunPeriod(ended, ResourcePeriod.NONE)));
        }
        assertThat(out.toString().lines()).as("at 0.5 s, 10.5 s and 20.5 s").hasSize(3);
    }

    @Test
    void onATerminalOneLineIsWrittenAgainAndAgain() {
        terminal.state(phase(RunPhase.MEASURE));
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        terminal.state(period(RunPhase.MEASURE, LEFT));
        terminal.state(tick(RunPhase.MEASURE, LEFT, new Totals(20_000, 20_000, 0, List.of(19_980L), 0)));

        assertThat(out.toString()).doesNotContain("\n");
        String[] shown = withoutWrapping().split(Pattern.quote(ERASE));
        assertThat(shown).hasSize(5);
        assertThat(shown[0]).isEmpty();
        assertThat(shown[1]).isEqualTo("measure …");
        assertThat(shown[2]).startsWith("measure").contains("25s left").doesNotContain("msg/s");
        assertThat(shown[3]).contains("msg/s", "backlog 10");
        assertThat(shown[4]).as("rates of the last period, backlog of now").contains("msg/s", "backlog 20");
    }

    @Test
    void aPhaseForgetsTheRatesOfTheOneBefore() {
        terminal.state(period(RunPhase.WARM_UP, LEFT));
        terminal.state(phase(RunPhase.DRAIN));
        int before = out.toString().length();
        terminal.state(tick(RunPhase.DRAIN, Optional.empty(), new Totals(5, 5, 0, List.of(5L), 0)));
        assertThat(out.toString().substring(before)).contains("drain").doesNotContain("msg/s");
    }

    private static WorkerState worker(int number, boolean suspect, @Nullable String lost) {
        return new WorkerState(
                "worker " + number + " (w" + number + ")", suspect, Optional.ofNullable(lost), Optional.empty(), 0);
    }

    private String lastShown() {
        String[] shown = withoutWrapping().split(Pattern.quote(ERASE));
        return shown[shown.length - 1];
    }

    @Test
    void onATerminalTheLineTellsOfItsWorkersAndOfThoseInTroubleFirst() {
        terminal.workers(List.of(worker(1, false, null), worker(2, false, null)));
        terminal.state(phase(RunPhase.PROVISION));
        assertThat(lastShown()).isEqualTo("provision … | 2 workers");
        terminal.waiting("worker 2 of 2: 4,000 of 10,000 producers");
        assertThat(lastShown()).isEqualTo("provision: worker 2 of 2: 4,000 of 10,000 producers");

        terminal.state(period(RunPhase.MEASURE, LEFT));
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        assertThat(lastShown()).startsWith("measure").endsWith(" | 2 workers");

        terminal.workers(List.of(worker(1, false, null), worker(2, true, null)));
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        assertThat(lastShown()).startsWith("2 workers, worker 2 suspect | measure");

        terminal.workers(List.of(worker(1, false, null), worker(2, true, "started anew")));
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        assertThat(lastShown()).startsWith("2 workers, worker 2 lost | measure");
        assertThat(out.toString()).doesNotContain("\n");
    }

    @Test
    void ofManyWorkersInTroubleThreeAreNamed() {
        terminal.workers(IntStream.rangeClosed(1, 9)
                .mapToObj(number -> worker(number, number > 2, null))
                .toList());
        terminal.state(phase(RunPhase.MEASURE));
        assertThat(lastShown())
                .isEqualTo("9 workers, worker 3 suspect, worker 4 suspect, worker 5 suspect, 4 more | measure …");
    }

    @Test
    void inAPipeWhatBecomesOfAWorkerHasALineOfItsOwn() {
        WorkerState first = worker(1, false, null);
        pipe.workers(List.of(first, worker(2, false, null)));
        pipe.state(period(RunPhase.MEASURE, LEFT));
        pipe.workers(List.of(first, worker(2, true, null)));
        pipe.workers(List.of(first, worker(2, true, null)));
        pipe.workers(List.of(first, worker(2, false, null)));
        pipe.workers(List.of(first, worker(2, true, "nothing heard for 10 s")));
        pipe.state(period(RunPhase.MEASURE, LEFT));
        pipe.waiting("worker 2 of 2: 1 of 2 producers");

        assertThat(out.toString().lines())
                .hasSize(5)
                .satisfies(line -> assertThat(line).endsWith("backlog 10 | 2 workers"), atIndex(0))
                .contains("worker 2 (w2): suspect, no sign of life", atIndex(1))
                .contains("worker 2 (w2): is back", atIndex(2))
                .contains("worker 2 (w2): lost: nothing heard for 10 s", atIndex(3))
                .satisfies(line -> assertThat(line).startsWith("2 workers, worker 2 lost | measure"), atIndex(4));
    }

    @Test
    void whatIsWaitedForIsTold() {
        pipe.state(phase(RunPhase.DRAIN));
        pipe.waits("412 messages still on the way; the run waits 5 s more at most");
        assertThat(out.toString())
                .isEqualTo(String.format("drain: 412 messages still on the way; the run waits 5 s more at most%n"));
    }

    @Test
    void stepsOfASearchStayOnTheScreen() {
        terminal.state(tick(RunPhase.SEARCH, LEFT, Totals.none(1)));
        terminal.searchStep(new RunResult.SearchStep(10_000, 9_998.7, 0, null, false));
        pipe.searchStep(new RunResult.SearchStep(
                20_000,
                12_345,
                0,
                new RunResult.Breach("endToEndLatency99pct", "endToEndLatency99pct was 31.0 ms, more than 20.0 ms"),
                false));
        pipe.searchStep(new RunResult.SearchStep(15_000, 14_990, 0, null, true));
        pipe.searchStep(new RunResult.SearchStep(
                15_000, 14_000, 0, new RunResult.Breach(RunResult.SearchStep.MEASUREMENT, "target rate missed"), true));
        assertThat(out.toString())
                .endsWith(ERASE
                        + String.format("search: 10,000 msg/s sustained (9,999 achieved)%n")
                        + String.format(
                                "search: 20,000 msg/s not sustained: endToEndLatency99pct was 31.0 ms, more than 20.0 ms"
                                        + " (12,345 achieved)%n")
                        + String.format("search: 15,000 msg/s held in a longer try (14,990 achieved)%n")
                        + String.format(
                                "search: 15,000 msg/s not held when measured: target rate missed (14,000 achieved)%n"));
    }

    @Test
    void ratesOfASweepStayOnTheScreen() {
        RunResult.LoadStep sustained = new RunResult.LoadStep(1, 1, period(), null, ResourcePeriod.NONE, 4000.0);
        pipe.loadStep(sustained);
        pipe.loadStep(sustained.refused(new RunResult.Breach("pace", "the confirmations fell behind")));
        assertThat(out.toString())
                .startsWith("sweep: 4,000 msg/s sustained, p99 pub ")
                .endsWith(String.format("sweep: 4,000 msg/s not sustained: the confirmations fell behind%n"));
    }

    @Test
    void numbersAreWrittenTheSameEverywhere() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            pipe.searchStep(new RunResult.SearchStep(20_000, 12_345, 0, null, false));
        } finally {
            Locale.setDefault(before);
        }
        assertThat(out.toString()).contains("20,000", "12,345");
    }

    @Test
    void clearingLeavesNothingOfTheLineThatChanges() {
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        terminal.clear();
        assertThat(out.toString()).endsWith(ERASE);
    }

    @Test
    void thisTestRunsInAPipe() {
        // Surefire talks to its JVM through pipes, so there is no terminal.
        assertThat(Terminal.isOutput()).isFalse();
    }

    /** The display, without the switches around each line that keep the terminal from wrapping it. */
    private String withoutWrapping() {
        return out.toString().replace("\u001b[?7l", "").replace("\u001b[?7h", "");
    }

    @Test
    void aLineThatIsTooLongIsCutOffAndWrappingIsLeftOn() {
        terminal.state(tick(RunPhase.MEASURE, LEFT, Totals.none(1)));
        assertThat(out.toString()).startsWith(ERASE + "\u001b[?7l").endsWith("\u001b[?7h");
    }
}
