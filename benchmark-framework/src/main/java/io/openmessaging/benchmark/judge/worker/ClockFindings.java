package io.openmessaging.benchmark.judge.worker;

import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Judges whether times of several workers compare. Pure. */
public final class ClockFindings {

    /** From this part of the median on, the possible error of end-to-end latencies is worth a note. */
    static final double WORTH_TELLING = 0.10;

    private ClockFindings() {}

    /**
     * How well the times of messages from one worker to another compare; empty if there are none, by the roles of the
     * workers.
     *
     * @param seen figures of the time that the workers' clock reports cover
     */
    public static Optional<ClockBound> bound(List<WorkerSeen> workers, PeriodSnapshot seen) {
        OptionalLong apartNs = apartNs(workers);
        Long medianNs = seen.hasAcrossWorkers()
                ? seen.latency(Latency.END_TO_END).histogram().getValueAtPercentile(50)
                : null;
        return apartNs.isEmpty() ? Optional.empty() : Optional.of(new ClockBound(apartNs.getAsLong(), medianNs));
    }

    /** The largest sum of the bounds of two workers of which one sends and the other receives. */
    private static OptionalLong apartNs(List<WorkerSeen> workers) {
        return workers.stream()
                .filter(sender -> sender.producers() > 0)
                .flatMapToLong(sender -> workers.stream()
                        .filter(receiver -> receiver != sender && receiver.consumers() > 0)
                        .mapToLong(receiver -> sumNs(boundNs(sender), boundNs(receiver))))
                .max();
    }

    private static long boundNs(WorkerSeen worker) {
        ClockReport clock = worker.clock();
        return clock == null || clock.offsets() == null
                ? ClockBound.UNKNOWN_NS
                : clock.offsets().largestBoundNs();
    }

    private static long sumNs(long oneNs, long otherNs) {
        return oneNs > ClockBound.UNKNOWN_NS - otherNs ? ClockBound.UNKNOWN_NS : oneNs + otherNs;
    }

    /**
     * The findings against comparing times of workers, and against the workers themselves.
     *
     * @param bound how well times compare; null if no message goes from one worker to another
     * @param total reportable figures of the measurement; null if there was none
     */
    public static List<Finding> findings(
            List<WorkerSeen> workers, @Nullable ClockBound bound, @Nullable PeriodSnapshot total) {
        List<Finding> findings = new ArrayList<>();
        if (bound != null && total != null) {
            judge(workers, bound, total.latency(Latency.END_TO_END).count()).ifPresent(findings::add);
        }
        for (WorkerSeen worker : workers) {
            if (workers.size() > 1 && worker.producers() == 0 && worker.consumers() == 0) {
                findings.add(Finding.workerIdle(worker.name()));
            }
        }
        return findings;
    }

    /**
     * The findings against clocks that moved, which a schedule follows like any other reader of the clock.
     *
     * @param explains true if the load was not the one asked for, which a clock that moves explains
     */
    public static List<Finding> moved(List<WorkerSeen> workers, boolean explains) {
        List<Finding> findings = new ArrayList<>();
        for (WorkerSeen worker : workers) {
            List<ClockBreak> breaks = breaks(worker);
            if (!breaks.isEmpty()) {
                // A single break is an accident, whose time is known; a clock that moves again cannot be relied on.
                Severity severity = breaks.size() == 1 && !explains ? Severity.NOTE : Severity.INVALIDATES;
                findings.add(Finding.clockMoved(worker.name(), breaks, severity, explains));
            }
        }
        return findings;
    }

    /** Returns whether the clock of any of these workers moved. */
    public static boolean haveMoved(List<WorkerSeen> workers) {
        return workers.stream().anyMatch(worker -> !breaks(worker).isEmpty());
    }

    private static List<ClockBreak> breaks(WorkerSeen worker) {
        return worker.clock() == null ? List.of() : worker.clock().breaks();
    }

    private static Optional<Finding> judge(List<WorkerSeen> workers, ClockBound bound, long given) {
        Long medianNs = bound.medianNs();
        if (medianNs == null) {
            return Optional.empty();
        }
        if (!bound.isEndToEndGiven()) {
            return Optional.of(
                    bound.isKnown()
                            ? Finding.endToEndWithheld(bound.apartNs(), medianNs, slowestPath(workers), given)
                            : Finding.clockUnknown(unknown(workers), given));
        }
        return bound.apartNs() > WORTH_TELLING * medianNs
                ? Optional.of(Finding.clocksLoose(bound.apartNs(), medianNs, slowestPath(workers)))
                : Optional.empty();
    }

    /** The path with the largest bound, which no time server could lower: it comes from the round trip. */
    private static String slowestPath(List<WorkerSeen> workers) {
        WorkerSeen slowest = workers.stream()
                .filter(worker -> worker.producers() > 0 || worker.consumers() > 0)
                .max(Comparator.comparingLong(ClockFindings::boundNs))
                .orElseThrow();
        ClockReport clock = Objects.requireNonNull(slowest.clock());
        return Finding.slowestPath(
                slowest.name(), boundNs(slowest), clock.probes().minRoundTripNs());
    }

    private static List<String> unknown(List<WorkerSeen> workers) {
        return workers.stream()
                .filter(worker -> boundNs(worker) == ClockBound.UNKNOWN_NS)
                .filter(worker -> worker.producers() > 0 || worker.consumers() > 0)
                .map(WorkerSeen::name)
                .toList();
    }
}
