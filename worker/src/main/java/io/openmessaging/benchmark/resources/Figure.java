package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.limits.ControlGroupCounters;

/**
 * The figures of a process, a JVM or a host. A probe reads either a level, such as memory, or a count that only grows,
 * such as processor time, whose use is its growth per second.
 */
public enum Figure {
    /** Processor time of a process and its children; 100 is one processor. Read in nanoseconds. */
    CPU_CORE_PERCENT("cpuCorePercent", 100 / 1e9),
    /** Processor time of the harness' sending threads. Read in nanoseconds. */
    LOAD_THREADS_CORE_PERCENT("loadThreadsCorePercent", 100 / 1e9),
    RESIDENT_BYTES("residentBytes"),
    THREADS("threads"),
    OPEN_FILES("openFiles"),
    DISK_READ_BYTES_PER_SEC("diskReadBytesPerSec", 1),
    DISK_WRITTEN_BYTES_PER_SEC("diskWrittenBytesPerSec", 1),
    HEAP_USED_BYTES("heapUsedBytes"),
    HEAP_COMMITTED_BYTES("heapCommittedBytes"),
    COLLECTIONS_PER_SEC("collectionsPerSec", 1),
    /** Time in garbage collections, as the collectors report it, in percent of the time. Read in milliseconds. */
    COLLECTION_PERCENT("collectionPercent", 100 / 1e3),
    ALLOCATED_BYTES_PER_SEC("allocatedBytesPerSec", 1),
    /** The longest garbage collection since the last reading. */
    LONGEST_PAUSE_MS("longestPauseMs"),

    /**
     * The part of the slices of 100 ms in which a limited process used up its processor time. Read as the number of
     * slices.
     */
    CPU_THROTTLED_PERCENT("cpuThrottledPercent", 100.0 * ControlGroupCounters.SLICE_MS / 1e3),
    /** Memory under a limit, including the cache of files. */
    LIMITED_MEMORY_BYTES("limitedMemoryBytes"),
    /** Memory under a limit that cannot be reclaimed: without the cache of files. */
    HELD_MEMORY_BYTES("heldMemoryBytes"),
    /** Requests for more memory than a limit leaves. */
    MEMORY_LIMIT_HITS_PER_SEC("memoryLimitHitsPerSec", 1),
    /** Number of processes killed at a memory limit. */
    OUT_OF_MEMORY_KILLS("outOfMemoryKills"),
    /** Free space of the file system. */
    DISK_FREE_BYTES("diskFreeBytes"),

    /** Time of all processors of the host, in percent. Read in milliseconds, as the mean of the processors. */
    HOST_USER_PERCENT("userPercent", 100 / 1e3),
    HOST_SYSTEM_PERCENT("systemPercent", 100 / 1e3),
    HOST_IO_WAIT_PERCENT("ioWaitPercent", 100 / 1e3),
    HOST_STEAL_PERCENT("stealPercent", 100 / 1e3),
    HOST_IDLE_PERCENT("idlePercent", 100 / 1e3),
    /** Mean number of processes that ran or waited for a processor over the last minute. */
    LOAD_1_MIN("load1Min"),
    MEMORY_USED_PERCENT("memoryUsedPercent"),
    NETWORK_RECEIVED_BYTES_PER_SEC("networkReceivedBytesPerSec", 1),
    NETWORK_SENT_BYTES_PER_SEC("networkSentBytesPerSec", 1),

    /** Memory in use, as reported by the broker itself. */
    BROKER_MEMORY_BYTES("brokerMemoryBytes"),
    /** Messages that a broker holds, as reported by itself: those not delivered yet, and those not confirmed. */
    BROKER_MESSAGES("brokerMessages"),
    /** Messages that were not delivered yet. */
    BROKER_MESSAGES_READY("brokerMessagesReady"),
    /** Messages that were delivered and not confirmed. */
    BROKER_MESSAGES_UNACKNOWLEDGED("brokerMessagesUnacknowledged"),
    /** Commands that a broker executed. */
    BROKER_COMMANDS_PER_SEC("brokerCommandsPerSec", 1);

    private final String label;
    private final double factor;
    private final boolean grows;

    Figure(String label) {
        this(label, 1, false);
    }

    Figure(String label, double factorPerSecond) {
        this(label, factorPerSecond, true);
    }

    Figure(String label, double factor, boolean grows) {
        this.label = label;
        this.factor = factor;
        this.grows = grows;
    }

    /** Returns the name in results, with the unit last. */
    public String label() {
        return label;
    }

    /** Returns whether the value read only grows, so that its growth per second counts. */
    public boolean grows() {
        return grows;
    }

    /**
     * Returns the highest value possible on a machine with the given number of processors; infinity if that sets no
     * limit.
     */
    double most(double processors) {
        return switch (this) {
            case CPU_CORE_PERCENT, LOAD_THREADS_CORE_PERCENT -> 100 * processors;
            case COLLECTION_PERCENT,
                    CPU_THROTTLED_PERCENT,
                    HOST_USER_PERCENT,
                    HOST_SYSTEM_PERCENT,
                    HOST_IO_WAIT_PERCENT,
                    HOST_STEAL_PERCENT,
                    HOST_IDLE_PERCENT -> 100;
            default -> Double.POSITIVE_INFINITY;
        };
    }

    /** Returns the value, in this figure's unit, of a growth of one per second. */
    double factor() {
        return factor;
    }
}
