package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Periods of a worker that reports what a test has set, each of ten nanoseconds. */
class PeriodsTest {

    private static final LatencySnapshot NONE = LatencySnapshot.empty();

    private final Deque<PeriodSnapshot> toTell = new ArrayDeque<>();
    private Totals totals = Totals.none(1);
    private long endNs;
    private final Periods periods = new Periods((Worker) Proxy.newProxyInstance(
            Worker.class.getClassLoader(),
            new Class<?>[] {Worker.class},
            (proxy, method, arguments) ->
                    new Worker.Period((int) arguments[0], toTell.remove(), List.of(NONE), ResourcePeriod.NONE)));

    /** Adds a period for the worker to report. */
    private void period(long counted, long timed) {
        Totals counts = new Totals(counted, counted, 0, List.of(counted), 0);
        totals = totals.plus(counts);
        endNs += 10;
        toTell.add(new PeriodSnapshot(
                endNs - 10, endNs, counts, totals, Map.of(Latency.END_TO_END, LatencySnapshot.of(5, timed))));
    }

    @Test
    void aPeriodBeforeALoadInWhichNothingWasSeenIsNoPartOfTheNext() throws Exception {
        period(0, 0);
        period(100, 100);

        periods.skipUntil(10);
        PeriodSnapshot first = periods.next().seen();

        assertThat(first.counts().sent()).isEqualTo(100);
        assertThat(first.startNs()).isEqualTo(10);
    }

    @Test
    void whatWasSeenBeforeTheWorkersEndedThePeriodIsPartOfTheNext() throws Exception {
        period(40, 40);
        period(60, 60);

        periods.skipUntil(5);
        PeriodSnapshot first = periods.next().seen();

        assertThat(first.counts().sent()).isEqualTo(100);
        assertThat(first.latency(Latency.END_TO_END).count()).isEqualTo(100);
        assertThat(first.startNs()).isEqualTo(5);
    }

    /** A sending thread that waits for a processor sends what was due by then in the next period. */
    @Test
    void aPeriodStartsWithItsLoadEvenIfNothingWasSentUntilTheWorkersEndedTheOneBefore() throws Exception {
        period(0, 0);
        period(100, 100);

        periods.skipUntil(5);
        PeriodSnapshot first = periods.next().seen();

        assertThat(first.counts().sent()).isEqualTo(100);
        assertThat(first.startNs()).isEqualTo(5);
    }

    /** The worker stood still between reading its counters and its latencies, as the load started. */
    @Test
    void noLatencyIsLostWhereTheMessagesAreCountedInTheNextPeriod() throws Exception {
        period(0, 40);
        period(100, 60);

        periods.skipUntil(10);

        assertThat(periods.next().seen().latency(Latency.END_TO_END).count()).isEqualTo(100);
    }
}
