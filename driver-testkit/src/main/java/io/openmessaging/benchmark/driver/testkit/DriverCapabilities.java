package io.openmessaging.benchmark.driver.testkit;

/**
 * Where a system cannot offer what the SPI describes; the tests that need it are skipped.
 *
 * @param maxPartitions how many partitions a topic can have: 1 for a system without partitions
 * @param keyDecidesPartition whether equal keys go to the same partition
 */
public record DriverCapabilities(int maxPartitions, boolean keyDecidesPartition) {

    /** Everything that the SPI describes. */
    public static final DriverCapabilities ALL = new DriverCapabilities(Integer.MAX_VALUE, true);
}
