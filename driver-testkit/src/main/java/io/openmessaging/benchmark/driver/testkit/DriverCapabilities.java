package io.openmessaging.benchmark.driver.testkit;

/**
 * Where a system cannot offer what the SPI describes; the tests that need it are skipped.
 *
 * @param maxPartitions how many partitions a topic can have: 1 for a system without partitions
 * @param keyDecidesPartition whether equal keys go to the same partition
 * @param keepsOrder whether the messages of a producer keep their order within a partition
 * @param readsAnew whether what was read can be read again from the beginning
 */
public record DriverCapabilities(
        int maxPartitions, boolean keyDecidesPartition, boolean keepsOrder, boolean readsAnew) {

    /** Everything that the SPI describes. */
    public static final DriverCapabilities ALL = new DriverCapabilities(Integer.MAX_VALUE, true);

    /** Those of a system that keeps the order, and what was read. */
    public DriverCapabilities(int maxPartitions, boolean keyDecidesPartition) {
        this(maxPartitions, keyDecidesPartition, true, true);
    }

    /** The same, where a message goes to any partition and in any order. */
    public DriverCapabilities withoutOrder() {
        return new DriverCapabilities(maxPartitions, false, false, readsAnew);
    }

    /** The same, where a message is gone once it was read. */
    public DriverCapabilities withoutReadingAnew() {
        return new DriverCapabilities(maxPartitions, keyDecidesPartition, keepsOrder, false);
    }
}
