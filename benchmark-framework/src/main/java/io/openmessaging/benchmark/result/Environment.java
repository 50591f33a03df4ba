package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.List;

/**
 * The program, machine and JVM of a run.
 *
 * @param benchmarkVersion version of this program
 * @param host name of the machine
 * @param os name, version and architecture
 * @param processors number of processors that the harness may use
 * @param memoryMiB memory of the machine
 * @param jdk vendor and version
 * @param jvmOptions JVM options of the harness
 * @param maxHeapMiB maximum heap of the harness
 * @param clock source of the time stamps
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

    /** Returns a copy for workers that each have their own clock. */
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
                clock + "; each worker has its own clock, and probes bound its offset from this one");
    }

    /** Returns the environment of this process. */
    public static Environment here(String benchmarkVersion, String clock) {
        WorkerMachine machine = WorkerMachine.here(0);
        return new Environment(
                benchmarkVersion,
                machine.host().name(),
                machine.host().os(),
                machine.processors(),
                machine.host().memoryMiB(),
                machine.jvm().version(),
                machine.jvm().options(),
                machine.jvm().maxHeapMiB(),
                clock);
    }
}
