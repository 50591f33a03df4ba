package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.clock.Chrony;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's process and the machine it is on.
 *
 * @param name of the worker, for people: {@code worker 1 (host)}
 * @param place the machine
 * @param jvm what the process runs in
 * @param processors that the process may use
 * @param ceilings what it is capable of; null if that is not known
 * @param chrony what chrony says of the machine's clock, for comparison; null if it was not asked or is not there
 */
public record WorkerMachine(
        String name,
        WorkerHost place,
        Jvm jvm,
        int processors,
        @Nullable Ceilings ceilings,
        @Nullable Chrony chrony) {

    private static final long BYTES_PER_MIB = 1 << 20;

    /**
     * A Java virtual machine.
     *
     * @param version vendor and version
     * @param options it was started with
     * @param maxHeapMiB of the process
     */
    public record Jvm(String version, List<String> options, long maxHeapMiB) {}

    /**
     * This process and its machine, of which it is not known what they are capable of.
     *
     * @param worker the index of the worker
     */
    public static WorkerMachine here(int worker) {
        WorkerHost place = WorkerHost.here();
        return new WorkerMachine(
                "worker " + (worker + 1) + " (" + place.host() + ")",
                place,
                new Jvm(
                        System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
                        ManagementFactory.getRuntimeMXBean().getInputArguments(),
                        Runtime.getRuntime().maxMemory() / BYTES_PER_MIB),
                Runtime.getRuntime().availableProcessors(),
                null,
                null);
    }

    /** The same by the name that the coordinator has for it. */
    public WorkerMachine named(String other) {
        return new WorkerMachine(other, place, jvm, processors, ceilings, chrony);
    }

    /** The same where it may be known what it is capable of. */
    public WorkerMachine capableOf(@Nullable Ceilings known) {
        return new WorkerMachine(name, place, jvm, processors, known, chrony);
    }

    /** The same with what chrony says of its clock at the moment; waits for that up to two seconds. */
    public WorkerMachine askedForClock() throws InterruptedException {
        return new WorkerMachine(
                name, place, jvm, processors, ceilings, Chrony.ask().orElse(null));
    }

    /** The name of the machine. */
    public String host() {
        return place.host();
    }
}
