package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.Agenda;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When all runs will have ended, if each of those to come takes as much longer than it must as those before did in the mean:
 * what brokers take to start, readiness, drain. All times are epoch milliseconds. Not thread-safe.
 */
final class EndEstimate {

    private final List<Agenda.Item> items;

    /** The numbers of those that are over. */
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
     * Nothing more happens to a run.
     *
     * @param whole whether it went to its end: what others took says nothing
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

    /** Empty once nothing is to come. */
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
