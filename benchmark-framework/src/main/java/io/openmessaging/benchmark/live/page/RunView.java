package io.openmessaging.benchmark.live.page;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole of the current run, or else of the last one.
 *
 * @param head what does not change
 * @param now what is known now
 * @param phases when each began
 * @param ticks counts over time
 * @param periods latencies and resources over time
 * @param uses what each process and machine used in the last period
 * @param steps rates or numbers of clients that were tried, in order
 */
record RunView(
        RunHead head,
        Now now,
        List<Phase> phases,
        List<Tick> ticks,
        List<PeriodPoint> periods,
        List<Use> uses,
        List<Step> steps) {

    /**
     * A phase.
     *
     * @param name as in results
     * @param atMs its begin, epoch milliseconds
     */
    record Phase(String name, long atMs) {}

    /**
     * What a process or a machine used.
     *
     * @param name what it is called
     * @param role whose it is, in lower case
     * @param figures means over the period, by the names that results have for them, units last
     */
    record Use(String name, String role, Map<String, Double> figures) {}

    /**
     * Something that was tried.
     *
     * @param what in words, such as {@code 4 producers, 4 consumers}; empty of a rate
     * @param targetMsgPerSec the rate that was tried; null where it was not about a rate
     * @param achievedMsgPerSec what was confirmed
     * @param problem why it is not sustained; empty if it is
     */
    record Step(String what, @Nullable Double targetMsgPerSec, double achievedMsgPerSec, String problem) {}
}
