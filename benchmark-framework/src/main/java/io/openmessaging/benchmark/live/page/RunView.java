package io.openmessaging.benchmark.live.page;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole view of the current run, or of the last one if none is running.
 *
 * @param head constant properties
 * @param now current state
 * @param phases phases with their start times
 * @param ticks counts over time
 * @param periods latencies and resources over time
 * @param uses resources that each process and machine used in the last period
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
     * @param name name as in results
     * @param atMs start, epoch milliseconds
     */
    record Phase(String name, long atMs) {}

    /**
     * The resources that a process or a machine used.
     *
     * @param name name of the process or machine
     * @param role its role, in lower case
     * @param figures means over the period, by their names in results, which end in the unit
     */
    record Use(String name, String role, Map<String, Double> figures) {}

    /**
     * A step that was tried.
     *
     * @param what description of the step, such as {@code 4 producers, 4 consumers}; empty for a rate
     * @param targetMsgPerSec the rate that was tried; null if the step is not about a rate
     * @param achievedMsgPerSec the rate that was confirmed
     * @param problem reason that the step is not sustained; empty if it is
     */
    record Step(String what, @Nullable Double targetMsgPerSec, double achievedMsgPerSec, String problem) {}
}
