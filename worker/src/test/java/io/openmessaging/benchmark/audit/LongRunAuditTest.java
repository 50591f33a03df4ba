package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Allocations;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single faults among millions of messages, and the cost of millions of messages. */
class LongRunAuditTest {

    @ParameterizedTest
    @CsvSource({"1000000, 1", "1000000, 3"})
    void oneLostOneDuplicatedOneSwappedAreFoundExactly(int messages, int partitions) {
        int lost = messages / 5;
        int duplicated = messages / 2;
        int swapped = messages / 7 * 6;
        AuditedTopic topic = new AuditedTopic(1, partitions, 1, 1);
        topic.sent(0, messages);
        ConsumerAudit consumer = topic.consumer(0);
        for (int sequence = 0; sequence < messages; sequence++) {
            if (sequence == swapped) {
                // Swaps the message with the next one of the same partition.
                consumer.note(0, sequence + partitions, sequence % partitions);
                consumer.note(0, sequence, sequence % partitions);
            } else if (sequence != lost && sequence != swapped + partitions) {
                consumer.note(0, sequence, sequence % partitions);
            }
            if (sequence == duplicated) {
                consumer.note(0, sequence, sequence % partitions);
            }
        }
        assertThat(topic.report())
                .isEqualTo(AuditFixture.subscription(
                        0, messages, messages, 1, 1, 1, 0, 0, List.of("producer 0: " + lost)));
    }

    @Test
    void withoutAFaultNoneIsFound() {
        int messages = 1_000_000;
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, messages);
        topic.receivedRange(0, messages);
        assertThat(topic.report())
                .isEqualTo(AuditFixture.subscription(0, messages, messages, 0, 0, 0, 0, 0, List.of()));
    }

    @LongSuite("takes a hundred million messages each")
    @ParameterizedTest
    @CsvSource({"1", "4"})
    void inOrderNothingIsAllocatedForAHundredMillionMessages(int partitions) {
        assertThat(bytesInOrder(100_000_000, partitions)).isLessThan(10_000);
    }

    @LongSuite("takes ten million messages each")
    @ParameterizedTest
    @CsvSource({"1", "3"})
    void singleFaultsAmongTenMillionAreFoundExactly(int partitions) {
        oneLostOneDuplicatedOneSwappedAreFoundExactly(10_000_000, partitions);
    }

    @ParameterizedTest
    @CsvSource({"1", "4"})
    void inOrderNothingIsAllocatedForAMessage(int partitions) {
        assertThat(bytesInOrder(5_000_000, partitions)).isLessThan(10_000);
    }

    private static long bytesInOrder(long messages, int partitions) {
        ConsumerAudit consumer = new AuditedTopic(1, partitions, 1, 1).consumer(0);
        note(consumer, 0, 100_000, 1, partitions);
        return Allocations.bytesOf(() -> note(consumer, 100_000, messages, 1, partitions));
    }

    @Test
    void whereTwoConsumersShareLittleIsAllocatedForAMessage() {
        AuditedTopic topic = new AuditedTopic(1, 1, 2, 1);
        int messages = 2_000_000;
        note(topic.consumer(0), 0, 1_000_000, 2, 1);
        long bytes = Allocations.bytesOf(() -> note(topic.consumer(0), 1_000_000, 1_000_000 + 2 * messages, 2, 1));
        assertThat((double) bytes / messages).as("bytes for a message").isLessThan(20);
    }

    private static ConsumerAudit note(ConsumerAudit consumer, long from, long to, int step, int partitions) {
        for (long sequence = from; sequence < to; sequence += step) {
            consumer.note(0, sequence, (int) (sequence % partitions));
        }
        return consumer;
    }
}
