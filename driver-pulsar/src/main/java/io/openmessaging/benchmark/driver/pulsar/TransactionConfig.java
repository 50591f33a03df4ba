package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;

/**
 * The keys below {@code producer.transaction}: when a transaction of a producer is committed.
 *
 * @param messages largest number of messages in a transaction
 * @param maxTime time after its first message when a transaction is committed even if it holds fewer
 */
public record TransactionConfig(
        @Default("100") @Range(from = "1", to = "100_000") int messages,
        @Default("100ms") @Range(from = "1ms", to = "10s") Duration maxTime) {}
