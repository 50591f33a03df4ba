package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.limits.ControlGroupCounters;

/**
 * What can be known of a process, a JVM or a host. A probe reads either a level, such as memory, or a count that only
 * grows, such as processor time, of which the use is the growth a second.
 */
public enum Figure {
    /** Processor time of a process and its children; 100 is one processor. Read in nanoseconds. */
    CPU_CORE_PERCENT("cpuCorePercent", 100 / 1e9),
    /** The part of the harness' processor time that its sending threads used. Read in nanoseconds. */
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

    /** The part of the slices of 100 ms in which a limited process had used up its processor time. Read as their number. */
    CPU_THROTTLED_PERCENT("cpuThrottledPercent", 100.0 * ControlGroupCounters.SLICE_MS / 1e3),
    /** Memory under a limit, the cache of files included. */
    LIMITED_MEMORY_BYTES("limitedMemoryBytes"),
    /** Memory under a limit that cannot be taken away: without the cache of files. */
    HELD_MEMORY_BYTES("heldMemoryBytes"),
    /** How often more memory was asked for than a limit leaves. */
    MEMORY_LIMIT_HITS_PER_SEC("memoryLimitHitsPerSec", 1),
    /** How many processes were killed at a limit of memory. */
    OUT_OF_MEMORY_KILLS("outOfMemoryKills"),
    /** Room left on the file system. */
    DISK_FREE_BYTES("diskFreeBytes"),

    /** Of all processors of the host, in percent of their time. Read in milliseconds of one of them. */
    HOST_USER_PERCENT("userPercent", 100 / 1e3),
    HOST_SYSTEM_PERCENT("systemPercent", 100 / 1e3),
    HOST_IO_WAIT_PERCENT("ioWaitPercent", 100 / 1e3),
    HOST_STEAL_PERCENT("stealPercent", 100 / 1e3),
    HOST_IDLE_PERCENT("idlePercent", 100 / 1e3),
    /** How many processes ran or waited for a processor, in the mean of the last minute. */
    LOAD_1_MIN("load1Min"),
    MEMORY_USED_PERCENT("memoryUsedPercent"),
    NETWORK_RECEIVED_BYTES_PER_SEC("networkReceivedBytesPerSec", 1),
    NETWORK_SENT_BYTES_PER_SEC("networkSentBytesPerSec", 1),

    /** What a broker itself says it holds in memory. */
    BROKER_MEMORY_BYTES("brokerMemoryBytes"),
    /** Messages that a broker holds, as it says itself: those that nobody got yet, and those that nobody confirmed. */
    BROKER_MESSAGES("brokerMessages"),
    /** Messages that nobody got yet. */
    BROKER_MESSAGES_READY("brokerMessagesReady"),
    /** Messages that were handed out and not confirmed. */
    BROKER_MESSAGES_UNACKNOWLEDGED("brokerMessagesUnacknowledged"),
    /** Commands that a broker carried out. */
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

    /** The name in results, with the unit last. */
    public String label() {
        return label;
    }

    /** Whether what is read only grows, and the growth a second is what counts. */
    public boolean grows() {
        return grows;
    }

    /** The highest value that a machine with so many processors can have; infinity where they do not say it. */
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

    /** What the growth of one a second means in this figure's unit. */
    double factor() {
        return factor;
    }
}
