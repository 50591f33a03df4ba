package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;

/**
 * When a producer commits sent messages.
 *
 * @param messages number of messages in a transaction
 * @param delay longest time between its first message and the commit
 */
public record ArtemisTransaction(
        @Default("100") @Range(from = "1", to = "100_000") int messages,
        @Default("10ms") Duration delay) implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(delay.toMillis() >= 1, "delay", "must be at least 1ms", delay);
    }
}
