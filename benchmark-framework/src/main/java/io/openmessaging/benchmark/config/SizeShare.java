package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;

/**
 * One size of a {@code messageSizeDistribution}.
 *
 * @param size bytes of such a message, the harness' header included
 * @param weight how many of the messages have this size, in proportion to the other weights
 */
public record SizeShare(int size, double weight) implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(
                size >= 1 && size <= WorkloadRules.MAX_MESSAGE_BYTES,
                "size",
                "must be a number from 1 to " + WorkloadRules.MAX_MESSAGE_BYTES,
                size);
        problems.require(weight > 0, "weight", "must be above 0", weight);
    }
}
