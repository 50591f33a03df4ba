package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.Seed;

/**
 * What a worker has to know of a run.
 *
 * @param driver with which driver
 * @param topology all topics, producers and consumers of the run, this worker's and others'
 * @param messages what is sent
 * @param clients how producers and consumers behave
 * @param seed of the run's random choices
 */
public record RunDescription(
        DriverDescription driver, Topology topology, MessagePlan messages, ClientOptions clients, Seed seed) {

    /** Unique, of letters and digits. */
    public String runId() {
        return topology.runId();
    }

    /** What stands in every full header, so that the run knows its own messages; never 0. */
    public int runTag() {
        return runId().hashCode() | 1;
    }
}
