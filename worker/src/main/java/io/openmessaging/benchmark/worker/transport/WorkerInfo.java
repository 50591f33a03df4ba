package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.Nullable;

/**
 * A worker's process and its machine.
 *
 * @param host the name of its machine
 * @param build what it runs
 * @param jdk the version of its Java
 * @param processors how many it may use
 * @param incarnation another one after every start
 * @param busy who has it, since when, and what it does, for people; null if it is free
 */
public record WorkerInfo(
        String host,
        Build build,
        String jdk,
        int processors,
        String incarnation,
        @Nullable String busy) {

    /** The same, of one that somebody has; null if nobody does. */
    public WorkerInfo busy(@Nullable String with) {
        return new WorkerInfo(host, build, jdk, processors, incarnation, with);
    }
}
