package io.openmessaging.benchmark.live.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress over all runs.
 *
 * @param plan the name of the plan; empty without one
 * @param current the current run, or the next one
 * @param count number of runs
 * @param doing reason for the wait before the run; empty once it has started
 * @param endMs estimated end of everything, epoch milliseconds; null if no runs remain
 * @param outcomes number of ended runs by outcome
 * @param over true if everything has ended: no more events follow
 */
record Progress(
        String plan,
        Current current,
        int count,
        String doing,
        @Nullable Long endMs,
        Map<String, Integer> outcomes,
        boolean over) {

    /**
     * A run of the agenda.
     *
     * @param number place in the agenda, from 1; 0 before the first
     * @param title title for people; empty before the first
     */
    record Current(int number, String title) {}
}
