package io.openmessaging.benchmark.live;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An estimate of when all runs will have ended. It assumes that each remaining run exceeds its minimum duration by the
 * mean excess of the earlier runs: broker start, readiness, drain. All times are epoch milliseconds. Not thread-safe.
 */
final class EndEstimate {

    private final List<Agenda.Item> items;

    /** The numbers of runs that are over. */
    private final Set<Integer> over = new HashSet<>();

    private int current;
    private long currentBeganMs;
    private long longerMs;
    private int counted;

    EndEstimate(Agenda agenda) {
        items = agenda.items();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).earlier() != null) {
                over.add(i + 1);
            }
        }
    }

    /** A run is next, or waits for something else. */
    void preparing(int number, long nowMs) {
        if (number != current) {
            current = number;
            currentBeganMs = nowMs;
        }
    }

    /**
     * Records that a run is over.
     *
     * @param whole true if the run completed; the durations of other runs are not used
     */
    void finished(int number, boolean whole, long nowMs) {
        if (over.add(number) && whole && number == current && number <= items.size()) {
            longerMs += Math.max(0, nowMs - currentBeganMs - atLeastMs(number));
            counted++;
        }
    }

    private long atLeastMs(int number) {
        return items.get(number - 1).atLeast().toMillis();
    }

    /** Returns the estimated end; empty if no runs remain. */
    OptionalLong endMs(long nowMs) {
        long meanLongerMs = counted == 0 ? 0 : longerMs / counted;
        long endMs = nowMs;
        boolean any = false;
        for (int number = 1; number <= items.size(); number++) {
            if (over.contains(number)) {
                continue;
            }
            any = true;
            long takesMs = atLeastMs(number) + meanLongerMs;
            endMs += number == current ? Math.max(0, currentBeganMs + takesMs - nowMs) : takesMs;
        }
        return any ? OptionalLong.of(endMs) : OptionalLong.empty();
    }
}
