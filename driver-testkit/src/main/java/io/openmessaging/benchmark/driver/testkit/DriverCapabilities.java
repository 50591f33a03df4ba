package io.openmessaging.benchmark.driver.testkit;

/**
 * Features of the SPI that a system offers; tests that need a missing one are skipped.
 *
 * @param maxPartitions largest number of partitions of a topic: 1 for a system without partitions
 * @param keyDecidesPartition true if equal keys go to the same partition
 * @param keepsOrder true if the messages of a producer keep their order within a partition
 * @param readsAnew true if messages that were read can be read again from the oldest one on
 * @param bridged true for a driver of another API, which neither passes on keys nor deletes topics, and does not know
 *     what its system promises
 */
public record DriverCapabilities(
        int maxPartitions, boolean keyDecidesPartition, boolean keepsOrder, boolean readsAnew, boolean bridged) {

    /** All features of the SPI. */
    public static final DriverCapabilities ALL = new DriverCapabilities(Integer.MAX_VALUE, true);

    /** Capabilities of drivers of another API. */
    public static final DriverCapabilities BRIDGED = new DriverCapabilities(1, false, true, false, true);

    /** Sets the capabilities of a system that keeps the order, and the messages that were read. */
    public DriverCapabilities(int maxPartitions, boolean keyDecidesPartition) {
        this(maxPartitions, keyDecidesPartition, true, true, false);
    }

    /** Returns the same capabilities for a system in which a message goes to any partition and in any order. */
    public DriverCapabilities withoutOrder() {
        return new DriverCapabilities(maxPartitions, false, false, readsAnew, bridged);
    }

    /** Returns the same capabilities for a system in which a message is gone once it was read. */
    public DriverCapabilities withoutReadingAnew() {
        return new DriverCapabilities(maxPartitions, keyDecidesPartition, keepsOrder, false, bridged);
    }
}
