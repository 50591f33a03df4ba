package io.openmessaging.benchmark.clock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A worker whose clock is known exactly, and the path to it. Times are by the coordinator's clock, which is taken as
 * correct. The worker's drift can change every second, to either end of a range or to a point within it.
 */
final class SimulatedWorker {

    static final long SECOND_NS = 1_000_000_000L;
    static final long START_NS = 1_790_000_000L * SECOND_NS;

    private final Random random;
    private final long startAheadNs;
    private final double[] aheadAtSecond;
    private final double[] drift;
    private final List<long[]> steps = new ArrayList<>();

    private double thereNs = 50_000;
    private double backNs = 50_000;
    private double queueNs = 20_000;
    private double tail = 1.2;

    /**
     * Creates a worker with a drift within {@code [slowest, fastest]}, for {@code seconds} seconds.
     *
     * @param startAheadNs time by which its clock is ahead at {@link #START_NS}
     */
    SimulatedWorker(Random random, long startAheadNs, double slowest, double fastest, int seconds) {
        this.random = random;
        this.startAheadNs = startAheadNs;
        this.aheadAtSecond = new double[seconds + 1];
        this.drift = new double[seconds + 1];
        int style = random.nextInt(3);
        for (int i = 0; i <= seconds; i++) {
            double place = style == 0 ? i % 120 < 60 ? 0 : 1 : style == 1 ? random.nextDouble() : random.nextInt(2);
            drift[i] = slowest + (fastest - slowest) * place;
            aheadAtSecond[i] = i == 0 ? 0 : aheadAtSecond[i - 1] + drift[i - 1] * SECOND_NS;
        }
    }

    /** Sets the shortest times of a message, there and back, and the distribution of additional waits. */
    SimulatedWorker way(double thereNs, double backNs, double queueNs, double tail) {
        this.thereNs = thereNs;
        this.backNs = backNs;
        this.queueNs = queueNs;
        this.tail = tail;
        return this;
    }

    /** Steps the clock ahead, or back if {@code byNs} is negative, at a moment. */
    SimulatedWorker step(double second, long byNs) {
        steps.add(new long[] {at(second), byNs});
        return this;
    }

    static long at(double second) {
        return START_NS + (long) (second * SECOND_NS);
    }

    /** Returns the true offset. */
    double aheadNs(long timeNs) {
        long passedNs = timeNs - START_NS;
        int second = (int) (passedNs / SECOND_NS);
        double ahead = startAheadNs + aheadAtSecond[second] + drift[second] * (passedNs - second * SECOND_NS);
        for (long[] step : steps) {
            ahead += timeNs >= step[0] ? step[1] : 0;
        }
        return ahead;
    }

    private long clock(long timeNs) {
        return timeNs + Math.round(aheadNs(timeNs));
    }

    OffsetProbe probe(double second) {
        long sentNs = at(second);
        long receivedNs = sentNs + delayNs(thereNs);
        long answeredNs = receivedNs + random.nextInt(20_000);
        long arrivedNs = answeredNs + delayNs(backNs);
        return new OffsetProbe(sentNs, clock(receivedNs), clock(answeredNs), arrivedNs);
    }

    /**
     * Returns the shortest time plus a wait with a tail like that of traffic: a Pareto distribution, which has no
     * finite mean for a tail of 1 or less.
     */
    private long delayNs(double leastNs) {
        double wait = queueNs * (Math.pow(1 - random.nextDouble(), -1 / tail) - 1);
        return (long) (leastNs + Math.min(wait, 2e9));
    }

    /** Returns {@code aSecond} probes per second, some of them lost, in the order in which their answers arrive. */
    List<OffsetProbe> probes(double fromSecond, double toSecond, double aSecond, double lost) {
        List<OffsetProbe> all = new ArrayList<>();
        for (double second = fromSecond; second < toSecond; second += 1 / aSecond) {
            OffsetProbe probe = probe(second);
            if (random.nextDouble() >= lost) {
                all.add(probe);
            }
        }
        all.sort(Comparator.comparingLong(OffsetProbe::arrivedNs));
        return all;
    }
}
