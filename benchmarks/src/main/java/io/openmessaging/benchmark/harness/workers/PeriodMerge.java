package io.openmessaging.benchmark.harness.workers;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.PublishStats;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A process that measures how long it takes to read the periods of many workers and to merge them. */
final class PeriodMerge {

    private static final int MESSAGES = 10_000;
    private static final int REPETITIONS = 30;

    /**
     * The logarithm of the latencies is spread evenly from 10 µs to 1 s: that fills far more buckets than real
     * latencies do.
     */
    private static final double SHORTEST_NS = 1e4;

    private static final double LONGEST_NS = 1e9;

    private static final double NS_PER_MS = 1e6;

    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    private PeriodMerge() {}

    /**
     * Prints in processor time {@code first-merge-ms N}, for code that never ran before, {@code merge-ms N} and {@code
     * read-ms N}, both medians of many times; and {@code period-bytes N}, for one worker.
     *
     * @param args number of workers
     */
    public static void main(String[] args) {
        List<byte[]> told = new ArrayList<>();
        for (int worker = 0; worker < Integer.parseInt(args[0]); worker++) {
            told.add(Wire.write(
                    new Period(1, period(new Random(worker)), List.of(LatencySnapshot.empty()), ResourcePeriod.NONE)));
        }
        double[] readMs = new double[REPETITIONS];
        double[] mergeMs = new double[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            long startNs = THREAD.getCurrentThreadCpuTime();
            List<Period> periods =
                    told.stream().map(bytes -> Wire.read(bytes, Period.class)).toList();
            long readNs = THREAD.getCurrentThreadCpuTime();
            PeriodSnapshot merged =
                    PeriodSnapshot.merged(periods.stream().map(Period::seen).toList());
            LatencySnapshot unsent = LatencySnapshot.sum(
                    periods.stream().flatMap(period -> period.unsent().stream()).toList());
            long mergedNs = THREAD.getCurrentThreadCpuTime();
            readMs[i] = (readNs - startNs) / NS_PER_MS;
            mergeMs[i] = (mergedNs - readNs) / NS_PER_MS;
            if (merged.counts().sent() != (long) MESSAGES * told.size() || unsent.count() != 0) {
                throw new IllegalStateException("merged: " + merged.counts());
            }
        }
        System.out.println("first-merge-ms " + mergeMs[0]);
        System.out.println("merge-ms " + median(mergeMs));
        System.out.println("read-ms " + median(readMs));
        System.out.println("period-bytes " + told.get(0).length);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Returns the period of one of several workers, which itself sent half of the messages that it received. */
    private static PeriodSnapshot period(Random random) {
        long[] nowNs = {0};
        Measurements measurements = new Measurements(() -> nowNs[0], 1);
        measurements.keepControl();
        PublishStats stats = measurements.newPublisher();
        for (int i = 0; i < MESSAGES; i++) {
            long sentNs = nowNs[0];
            stats.sent(100, sentNs - latencyNs(random), sentNs);
            nowNs[0] = sentNs + latencyNs(random);
            measurements.acknowledged(sentNs, sentNs);
            nowNs[0] = sentNs + latencyNs(random);
            if (i % 2 == 0) {
                measurements.received(0, nowNs[0], sentNs, sentNs);
            } else {
                measurements.receivedFromOther(0, nowNs[0], sentNs, sentNs, 0);
            }
        }
        return measurements.sample();
    }

    private static long latencyNs(Random random) {
        return (long) (SHORTEST_NS * Math.pow(LONGEST_NS / SHORTEST_NS, random.nextDouble()));
    }
}
