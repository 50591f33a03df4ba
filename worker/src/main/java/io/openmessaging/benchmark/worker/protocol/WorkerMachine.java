package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.clock.Chrony;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's process and its machine.
 *
 * @param name name of the worker, for people: {@code worker 1 (host)}
 * @param host the machine
 * @param jvm Java virtual machine of the process
 * @param processors number of processors that the process may use
 * @param ceilings measured limits of the process; null if unknown
 * @param chrony what chrony reports about the machine's clock, for comparison; null if not requested or not available
 */
public record WorkerMachine(
        String name,
        WorkerHost host,
        Jvm jvm,
        int processors,
        @Nullable Ceilings ceilings,
        @Nullable Chrony chrony) {

    private static final long BYTES_PER_MIB = 1 << 20;

    /**
     * A Java virtual machine.
     *
     * @param version vendor and version
     * @param options options of its start
     * @param maxHeapMiB largest heap of the process
     */
    public record Jvm(String version, List<String> options, long maxHeapMiB) {}

    /**
     * This process and its machine, with unknown ceilings.
     *
     * @param worker index of the worker
     */
    public static WorkerMachine here(int worker) {
        WorkerHost host = WorkerHost.here();
        return new WorkerMachine(
                "worker " + (worker + 1) + " (" + host.name() + ")",
                host,
                new Jvm(
                        System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
                        ManagementFactory.getRuntimeMXBean().getInputArguments(),
                        Runtime.getRuntime().maxMemory() / BYTES_PER_MIB),
                Runtime.getRuntime().availableProcessors(),
                null,
                null);
    }

    /** Returns this machine under the coordinator's name for the worker. */
    public WorkerMachine named(String other) {
        return new WorkerMachine(other, host, jvm, processors, ceilings, chrony);
    }

    /** Returns this machine with the given ceilings; null if unknown. */
    public WorkerMachine capableOf(@Nullable Ceilings known) {
        return new WorkerMachine(name, host, jvm, processors, known, chrony);
    }

    /**
     * Returns this machine with what chrony currently reports about its clock; waits up to two seconds for the report.
     */
    public WorkerMachine askedForClock() throws InterruptedException {
        return new WorkerMachine(
                name, host, jvm, processors, ceilings, Chrony.ask().orElse(null));
    }
}
