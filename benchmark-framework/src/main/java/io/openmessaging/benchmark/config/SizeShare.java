package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;

/**
 * One size of a {@code messageSizeDistribution}.
 *
 * @param size bytes of such a message, including the harness' header
 * @param weight weight of this size, in proportion to the other weights
 */
public record SizeShare(@Range(from = "1", to = MAX_BYTES) int size, double weight) implements Checked {

    /** The maximum size of a message, 256 MiB. */
    static final String MAX_BYTES = "268_435_456";

    @Override
    public void check(Problems problems) {
        problems.require(weight > 0, "weight", "must be above 0", weight);
    }
}
