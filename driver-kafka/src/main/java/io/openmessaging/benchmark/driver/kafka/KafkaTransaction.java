package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;

/**
 * When a producer ends a transaction that it has begun with a message: whichever comes first.
 *
 * @param messages after so many messages
 * @param maxTime so long after its first message, also when no further one comes
 */
public record KafkaTransaction(
        @Default("100") @Range(from = "1", to = "1_000_000") int messages,
        @Default("100ms") @Range(from = "1ms", to = "15m") Duration maxTime) {}
