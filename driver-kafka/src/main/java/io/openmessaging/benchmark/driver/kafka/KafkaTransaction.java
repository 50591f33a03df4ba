package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;

/**
 * When a producer commits a transaction, which starts with a message: at the first of two limits.
 *
 * @param messages number of messages in a transaction
 * @param maxTime time since its first message, even if no other message follows
 */
public record KafkaTransaction(
        @Default("100") @Range(from = "1", to = "1_000_000") int messages,
        @Default("100ms") @Range(from = "1ms", to = "15m") Duration maxTime) {}
