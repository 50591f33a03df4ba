package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.search.RateSearch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Creates a {@link Calibration}. Used once, on one thread.
 *
 * @param harness harness to calibrate
 * @param effort time that the calibration may take
 * @param processors largest number of sending threads
 * @param listener receives the progress
 */
public record Calibrator(CalibratedLoad harness, Effort effort, int processors, CalibrationListener listener) {

    /** A rate counts as achieved from this part of it on, as in a run. */
    static final double ACHIEVED = 0.99;

    /** Sends are in time as long as their delay's 99th percentile is below this. */
    static final long IN_TIME_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A rate at which the sending thread waits between messages, so that the compiler sees that code, too. */
    private static final ProducerRate WARM_UP_RATE = new ProducerRate.Fixed(50_000);

    /**
     * Runs all parts of the calibration.
     *
     * @param environment environment of this process
     * @throws CalibrationException if there is no figure to report
     * @throws InterruptedException if the user wants to stop
     */
    public Calibration calibrate(Environment environment) throws CalibrationException, InterruptedException {
        Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Calibration.MachineState machine = MachineWatch.watch(effort.watch());
        listener.machine(machine);
        Calibration.Clock clock = new ClockProbe(System::nanoTime).resolution();
        harness.load(new ProducerRate.Unlimited(), 1, effort.settle(), effort.warmUp());
        harness.load(WARM_UP_RATE, 1, effort.settle(), effort.warmUp());

        HarnessUsage before = HarnessUsage.now();
        List<Calibration.Trial> trials = new ArrayList<>();
        double ceiling = search(trials);
        List<Calibration.Unlimited> unlimited = new ArrayList<>(List.of(unlimited(1)));
        if (processors > 1) {
            unlimited.add(unlimited(processors));
        }
        HarnessUsage usage = HarnessUsage.now().since(before);
        return new Calibration(
                time,
                effort.quick(),
                ceiling,
                unlimited,
                trials,
                clock,
                machine,
                new Calibration.Collections(usage.collections(), usage.collectionMs(), usage.atNs() / 1e9),
                environment);
    }

    private double search(List<Calibration.Trial> trials) throws CalibrationException, InterruptedException {
        CeilingSearch search = new CeilingSearch(effort.precision());
        for (Optional<RateSearch.Try> next = search.next(); next.isPresent(); next = search.next()) {
            Calibration.Trial trial = attempt(next.get());
            trials.add(trial);
            listener.trial(trial);
            search.report(trial.held(), trial.achievedMsgPerSec());
        }
        return search.ceilingMsgPerSec()
                .orElseThrow(() -> new CalibrationException("no rate was sustained, not even "
                        + Math.round(CeilingSearch.LADDER.get(0))
                        + " msg/s: another process keeps this machine busy"));
    }

    private Calibration.Trial attempt(RateSearch.Try next) throws CalibrationException, InterruptedException {
        double rateMsgPerSec = next.msgPerSec();
        PeriodSnapshot seen = harness.load(
                new ProducerRate.Fixed(rateMsgPerSec),
                1,
                effort.settle(),
                next.confirming() ? effort.observe() : effort.searchObserve());
        LatencySummary delay = seen.latency(Latency.SEND_DELAY).summary();
        boolean held = seen.publishRate() >= ACHIEVED * rateMsgPerSec && delay.atNs(99) < IN_TIME_NS;
        return new Calibration.Trial(
                rateMsgPerSec,
                seen.publishRate(),
                delay.count(),
                delay.atNs(50),
                delay.atNs(99),
                delay.atNs(99.9),
                held);
    }

    private Calibration.Unlimited unlimited(int threads) throws CalibrationException, InterruptedException {
        PeriodSnapshot seen = harness.load(new ProducerRate.Unlimited(), threads, effort.settle(), effort.observe());
        return Calibration.Unlimited.of(threads, seen.publishRate());
    }
}
