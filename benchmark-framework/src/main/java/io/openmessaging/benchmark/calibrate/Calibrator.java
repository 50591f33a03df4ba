package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.search.RateSearch;
import java.time.Duration;
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

    /** Receives the progress of a calibration, on its thread. */
    public interface CalibrationListener {

        /** Reports that the machine was watched; nothing has run yet. */
        void machine(Calibration.MachineState machine);

        /** Reports that a rate was tried. */
        void trial(Calibration.Trial trial);
    }

    /** Applies a load to the harness and returns the figures. */
    @FunctionalInterface
    public interface CalibratedLoad {

        /**
         * Runs one load from start to end.
         *
         * @param rate rate of all producers together
         * @param topics number of topics, with a partition, a producer and a consumer each
         * @param settle time that the load is on before it is measured
         * @param observe time that the load is measured
         * @throws CalibrationException if the load could not be started
         * @throws InterruptedException if the user wants to stop
         */
        PeriodSnapshot load(ProducerRate rate, int topics, Duration settle, Duration observe)
                throws CalibrationException, InterruptedException;
    }

    /**
     * The time that a calibration takes for each of its parts.
     *
     * @param quick true if short measurements were requested
     * @param watch time that the machine is watched while nothing of ours runs
     * @param warmUp time of each of two loads before the first that counts, for the compiler of the JVM
     * @param settle first part of each load, not measured
     * @param observe measured part of each load that decides
     * @param searchObserve measured part of each load that searches for the ceiling
     * @param precision the ceiling is found when the next higher rate that was refused is at most this factor above it
     */
    public record Effort(
            boolean quick,
            Duration watch,
            Duration warmUp,
            Duration settle,
            Duration observe,
            Duration searchObserve,
            double precision) {

        /** Takes less than a minute. */
        public static Effort standard() {
            return new Effort(
                    false,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(3),
                    Duration.ofMillis(1000),
                    1.05);
        }

        /** Takes some ten seconds. */
        public static Effort brief() {
            return new Effort(
                    true,
                    Duration.ofMillis(300),
                    Duration.ofMillis(500),
                    Duration.ofMillis(100),
                    Duration.ofMillis(600),
                    Duration.ofMillis(300),
                    1.10);
        }
    }
}
