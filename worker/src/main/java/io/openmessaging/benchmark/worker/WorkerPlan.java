package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.MessageHeader;
import java.time.Duration;

/**
 * What a worker has to know of a run before it begins.
 *
 * @param runId unique, of letters and digits
 * @param runTag written into every full header, so that the run knows its own messages
 * @param topology all topics, producers and consumers of the run, this worker's and others'
 * @param layout of the headers
 * @param controlTimeout the limit for each control call to the system
 * @param options of producers and consumers
 */
public record WorkerPlan(
        String runId,
        int runTag,
        Topology topology,
        MessageHeader.Layout layout,
        Duration controlTimeout,
        ClientOptions options) {

    /** A plan for clients without options. */
    public WorkerPlan(
            String runId, int runTag, Topology topology, MessageHeader.Layout layout, Duration controlTimeout) {
        this(runId, runTag, topology, layout, controlTimeout, ClientOptions.PLAIN);
    }
}
