package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.List;

/**
 * Where a run took place.
 *
 * @param benchmarkVersion of this program
 * @param host name of the machine
 * @param os name, version and architecture
 * @param processors that the harness may use
 * @param memoryMiB of the machine
 * @param jdk vendor and version
 * @param jvmOptions the harness was started with
 * @param maxHeapMiB of the harness
 * @param clock where the time stamps come from
 */
public record Environment(
        String benchmarkVersion,
        String host,
        String os,
        int processors,
        long memoryMiB,
        String jdk,
        List<String> jvmOptions,
        long maxHeapMiB,
        String clock) {

    /** The same with workers that have clocks of their own. */
    public Environment ofSeveralClocks() {
        return new Environment(
                benchmarkVersion,
                host,
                os,
                processors,
                memoryMiB,
                jdk,
                jvmOptions,
                maxHeapMiB,
                clock
                        + "; each worker has one of its own, and probes prove within which bounds it is ahead of this one");
    }

    /** This process and its machine. */
    public static Environment here(String benchmarkVersion, String clock) {
        WorkerMachine machine = WorkerMachine.here(0);
        return new Environment(
                benchmarkVersion,
                machine.host(),
                machine.place().os(),
                machine.processors(),
                machine.place().memoryMiB(),
                machine.jvm().version(),
                machine.jvm().options(),
                machine.jvm().maxHeapMiB(),
                clock);
    }
}
