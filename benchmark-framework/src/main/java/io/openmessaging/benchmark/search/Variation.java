package io.openmessaging.benchmark.search;

import java.util.ArrayList;
import java.util.List;

/**
 * How much a system's throughput varies at its limit, by the tries that it fell behind in: each try is divided into
 * steps of the same length. Used by one thread at a time.
 */
public final class Variation {

    /** Student's factor for 95 % with the degrees of freedom of the steps of one try. */
    private static final double STUDENT = 2.57;

    /** Consecutive steps that count as one sample, because a system's throughput varies more slowly than a step. */
    private static final int ALIKE = 2;

    private final int stepsOfTry;

    /** Relative deviations of steps from the mean of their try. */
    private final List<Double> deviations = new ArrayList<>();

    /** Creates a variation without any tries, of which each has at least this many steps. */
    public Variation(int stepsOfTry) {
        this.stepsOfTry = stepsOfTry;
    }

    /**
     * Adds a try.
     *
     * @param dueInStep messages due in each step
     * @param late messages that were late at the start, and at the end of each step
     */
    public void add(double dueInStep, List<Double> late) {
        int count = late.size() - 1;
        double mean = dueInStep - late.get(count) / count;
        // Where nothing came at all, there is no throughput that could vary.
        for (int i = 1; i <= count && count > 1 && mean > 0; i++) {
            deviations.add((dueInStep - late.get(i) + late.get(i - 1)) / mean - 1);
        }
    }

    /** The part of the throughput by which the mean over a try may be off by chance. */
    public double chance() {
        double squares = deviations.stream().mapToDouble(part -> part * part).sum();
        double deviation = deviations.isEmpty() ? 0 : Math.sqrt(squares / deviations.size());
        return STUDENT * deviation / Math.sqrt((double) stepsOfTry / ALIKE);
    }
}
