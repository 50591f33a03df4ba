package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.Nullable;

/**
 * A worker's process and its machine.
 *
 * @param host name of the machine
 * @param build build that the process runs
 * @param jdk Java version
 * @param processors number of processors that the process may use
 * @param incarnation differs after every start
 * @param busy owner, start and activity of the session, for people; null if the worker is free
 */
public record WorkerInfo(
        String host,
        Build build,
        String jdk,
        int processors,
        String incarnation,
        @Nullable String busy) {

    /** Returns this worker with the given session; null for a free worker. */
    public WorkerInfo busy(@Nullable String with) {
        return new WorkerInfo(host, build, jdk, processors, incarnation, with);
    }
}
