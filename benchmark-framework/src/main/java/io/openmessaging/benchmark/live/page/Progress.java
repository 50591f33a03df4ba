package io.openmessaging.benchmark.live.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far all runs have come.
 *
 * @param plan the name of the plan; empty without one
 * @param current the current run, or the next one
 * @param count how many runs there are
 * @param doing what is waited for before the run begins; empty once it has
 * @param endMs when everything will have ended, an estimate, epoch milliseconds; null where nothing is to come
 * @param outcomes how many runs have ended in which way
 * @param over whether everything has ended: nothing is told any more
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
     * @param number its place, from 1; 0 before the first
     * @param title for people; empty before the first
     */
    record Current(int number, String title) {}
}
