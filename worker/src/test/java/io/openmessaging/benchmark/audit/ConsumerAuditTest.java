package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsumerAuditTest {

    private static final int PAGE = SequenceSet.PAGE_LENGTH;

    private static void assertCounts(
            AuditReport.SubscriptionReport report, long lost, long duplicated, long outOfOrder) {
        assertThat(report.lost()).as("lost").isEqualTo(lost);
        assertThat(report.duplicated()).as("duplicated").isEqualTo(duplicated);
        assertThat(report.outOfOrder()).as("out of order").isEqualTo(outOfOrder);
        assertThat(report.received())
                .as("received")
                .isEqualTo(report.expected() - lost + duplicated + report.failedButReceived() + report.unexpected());
    }

    @Test
    void nothingSentNothingReceived() {
        assertCounts(AuditedTopic.ofOne().report(), 0, 0, 0);
    }

    @Test
    void nothingReceivedIsAllLost() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 5);
        AuditReport.SubscriptionReport report = topic.report();
        assertCounts(report, 5, 0, 0);
        assertThat(report.firstLost()).containsExactly("producer 0: 0..4");
    }

    @Test
    void aSwapIsOneOutOfOrder() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 5);
        topic.received(0, 2, 1, 3, 4);
        assertCounts(topic.report(), 0, 0, 1);
    }

    @Test
    void aReversedRunIsOutOfOrderButForItsFirst() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 5);
        topic.received(4, 3, 2, 1, 0);
        assertCounts(topic.report(), 0, 0, 4);
    }

    @Test
    void aDuplicateIsNotOutOfOrder() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 6);
        topic.received(0, 0, 1, 2, 1, 4, 5, 2, 3, 3);
        assertCounts(topic.report(), 0, 4, 1);
    }

    @Test
    void whatComesAgainIsKnownAtOnce() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 6);
        topic.received(0, 1, 2);
        assertThat(topic.duplicatedSoFar()).isZero();
        topic.received(2, 1, 4, 4, 0);
        assertThat(topic.duplicatedSoFar()).isEqualTo(4);
        topic.received(3, 3, 5);
        assertThat(topic.duplicatedSoFar()).isEqualTo(5);
        assertCounts(topic.report(), 0, 5, 1);
        assertThat(topic.duplicatedSoFar()).isEqualTo(5);
    }

    @Test
    void whatSeveralConsumersGetIsKnownWhileTheyGetIt() {
        AuditedTopic topic = new AuditedTopic(2, 1, 3, 1);
        topic.sent(1, 50_000);
        for (long sequence = 0; sequence < 50_000; sequence++) {
            for (int consumer = 0; consumer < 3; consumer++) {
                topic.consumer(consumer).note(1, sequence, 0);
            }
            if (sequence % 1_000 == 0) {
                assertThat(topic.duplicatedSoFar()).isEqualTo(2 * (sequence + 1));
            }
        }
        assertThat(topic.report().duplicated()).isEqualTo(100_000);
    }

    @Test
    void whatWasHandedOverAndComesToOthersIsKnownAsWell() {
        AuditedTopic topic = new AuditedTopic(1, 1, 3, 1);
        topic.sent(0, 20L * PAGE);
        // The gap ends the uninterrupted range: its pages except the last are handed over.
        topic.receivedRange(0, 8L * PAGE);
        topic.receivedRange(8L * PAGE + 5, 8L * PAGE + 6);
        for (int consumer = 1; consumer < 3; consumer++) {
            for (long sequence = 0; sequence < 8L * PAGE; sequence++) {
                topic.consumer(consumer).note(0, sequence, 0);
            }
            assertThat(topic.duplicatedSoFar()).isEqualTo(consumer * 8L * PAGE);
        }
        assertThat(topic.report().duplicated()).isEqualTo(16L * PAGE);
    }

    @Test
    void consumersThatShareTheMessagesHaveNoneTwice() {
        AuditedTopic topic = new AuditedTopic(1, 2, 2, 1);
        topic.sent(0, 100_000);
        for (long sequence = 0; sequence < 100_000; sequence++) {
            int consumer = (int) (sequence / 10_000 % 2);
            topic.consumer(consumer).note(0, sequence, consumer);
        }
        assertThat(topic.duplicatedSoFar()).isZero();
        assertCounts(topic.report(), 0, 0, 0);
    }

    @Test
    void theFirstMessageIsMissed() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 3);
        topic.received(1, 2);
        AuditReport.SubscriptionReport report = topic.report();
        assertCounts(report, 1, 0, 0);
        assertThat(report.firstLost()).containsExactly("producer 0: 0");
    }

    @Test
    void aDuplicateOfAPageThatWasHandedOverIsNotOutOfOrder() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 20L * PAGE);
        topic.receivedRange(0, 100);
        topic.receivedRange(101, 20L * PAGE);
        topic.received(7, 7, 3L * PAGE, 3L * PAGE + 1, 3L * PAGE);
        assertCounts(topic.report(), 1, 5, 0);
    }

    @Test
    void aMessageThatComesVeryLateIsOutOfOrderOnce() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 20L * PAGE);
        topic.receivedRange(0, 100);
        topic.receivedRange(101, 20L * PAGE);
        topic.received(100);
        assertCounts(topic.report(), 0, 0, 1);
    }

    @Test
    void aLateMessageThatComesAgainWhenItsPageWasHandedOverIsOutOfOrderAndDuplicated() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 40L * PAGE);
        topic.receivedRange(0, 100);
        topic.receivedRange(101, 200);
        topic.received(100);
        for (long page = 1; page < 40; page++) {
            topic.receivedRange(page * PAGE + 1, (page + 1) * PAGE);
        }
        topic.received(100, 100);
        assertThat(topic.report()).satisfies(report -> {
            assertThat(report.duplicated()).isEqualTo(2);
            assertThat(report.outOfOrder()).isEqualTo(1);
        });
    }

    @Test
    void partitionsMayDriftApart() {
        AuditedTopic topic = new AuditedTopic(1, 2, 1, 1);
        int messages = 20 * PAGE;
        topic.sent(0, messages);
        ConsumerAudit consumer = topic.consumer(0);
        for (int sequence = 0; sequence < messages; sequence += 2) {
            consumer.note(0, sequence, 0);
        }
        for (int sequence = 1; sequence < messages; sequence += 2) {
            consumer.note(0, sequence, 1);
        }
        assertCounts(topic.report(), 0, 0, 0);
    }

    @Test
    void aSwapWithinAPartitionThatIsBehindIsOutOfOrder() {
        AuditedTopic topic = new AuditedTopic(1, 2, 1, 1);
        topic.sent(0, 10);
        ConsumerAudit consumer = topic.consumer(0);
        for (int sequence : new int[] {0, 2, 4, 6, 8}) {
            consumer.note(0, sequence, 0);
        }
        for (int sequence : new int[] {1, 5, 3, 7, 9}) {
            consumer.note(0, sequence, 1);
        }
        assertCounts(topic.report(), 0, 0, 1);
    }

    @Test
    void consumersOfASubscriptionShareTheMessages() {
        AuditedTopic topic = new AuditedTopic(1, 1, 3, 1);
        int messages = 10 * PAGE;
        topic.sent(0, messages);
        for (int sequence = 0; sequence < messages; sequence++) {
            topic.consumer(sequence % 3).note(0, sequence, 0);
        }
        assertCounts(topic.report(), 0, 0, 0);
    }

    @Test
    void aRedeliveryToAnotherConsumerIsDuplicatedAndNotOutOfOrder() {
        for (int workers = 1; workers <= 2; workers++) {
            AuditedTopic topic = new AuditedTopic(1, 1, 2, workers);
            topic.sent(0, 100);
            for (int sequence = 0; sequence < 100; sequence++) {
                topic.consumer(sequence < 50 ? 0 : 1).note(0, sequence, 0);
            }
            topic.consumer(1).note(0, 20, 0);
            topic.consumer(1).note(0, 49, 0);
            topic.consumer(1).note(0, 49, 0);
            assertCounts(topic.report(), 0, 3, 0);
        }
    }

    @Test
    void aRedeliveryToTheConsumerThatIsClosedFirstIsDuplicatedAndNotOutOfOrder() {
        for (int workers = 1; workers <= 2; workers++) {
            AuditedTopic topic = new AuditedTopic(1, 1, 2, workers);
            topic.sent(0, 100);
            for (int sequence = 0; sequence < 100; sequence++) {
                topic.consumer(sequence < 50 ? 1 : 0).note(0, sequence, 0);
            }
            topic.consumer(0).note(0, 20, 0);
            assertCounts(topic.report(), 0, 1, 0);
        }
    }

    @Test
    void aRedeliveryWhenTheFirstConsumersPageWasHandedOver() {
        AuditedTopic topic = new AuditedTopic(1, 1, 2, 1);
        int messages = 20 * PAGE;
        topic.sent(0, messages);
        for (int sequence = 0; sequence < messages; sequence++) {
            topic.consumer(sequence % 2).note(0, sequence, 0);
        }
        topic.consumer(1).note(0, 20, 0);
        topic.consumer(1).note(0, 20, 0);
        assertCounts(topic.report(), 0, 2, 0);
    }

    @Test
    void producersAreAuditedApart() {
        AuditedTopic topic = new AuditedTopic(2, 1, 1, 1);
        topic.sent(0, 3);
        topic.sent(1, 2);
        ConsumerAudit consumer = topic.consumer(0);
        consumer.note(0, 0, 0);
        consumer.note(1, 0, 0);
        consumer.note(1, 1, 0);
        consumer.note(0, 2, 0);
        AuditReport.SubscriptionReport report = topic.report();
        assertCounts(report, 1, 0, 0);
        assertThat(report.firstLost()).containsExactly("producer 0: 1");
    }

    @Test
    void theNewestIsTheHighestOfThePartition() {
        ConsumerAudit one = new AuditedTopic(1, 1, 1, 1).consumer(0);
        assertThat(one.newest(0, 0)).isEqualTo(-1);
        one.note(0, 7, 0);
        one.note(0, 3, 0);
        assertThat(one.newest(0, 0)).isEqualTo(7);

        ConsumerAudit two = new AuditedTopic(1, 3, 1, 1).consumer(0);
        assertThat(two.newest(0, 1)).isEqualTo(-1);
        two.note(0, 7, 0);
        two.note(0, 3, 1);
        two.note(0, 2, 1);
        assertThat(two.newest(0, 0)).isEqualTo(7);
        assertThat(two.newest(0, 1)).isEqualTo(3);
        assertThat(two.newest(0, 2))
                .as("of a partition that nothing came from yet")
                .isEqualTo(7);
    }

    @Test
    void askingForTheNewestIsNoArrival() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 1);
        topic.consumer(0).newest(0, 0);
        assertCounts(topic.report(), 1, 0, 0);
    }

    @Test
    void onlyTheTopicsProducersAreKnown() {
        ConsumerAudit audit = new ConsumerAudit(new SubscriptionAudit("topic", 0), 5, 3, 1);
        assertThat(audit.knows(4)).isFalse();
        assertThat(audit.knows(5)).isTrue();
        assertThat(audit.knows(7)).isTrue();
        assertThat(audit.knows(8)).isFalse();
        assertThat(audit.knows(-1)).isFalse();
        assertThat(audit.knows(Integer.MIN_VALUE)).isFalse();
        assertThat(audit.accepts(5, 0)).isTrue();
        assertThat(audit.accepts(5, 1L << 40)).isTrue();
        assertThat(audit.accepts(5, -1)).isFalse();
        assertThat(audit.accepts(5, Long.MAX_VALUE)).isFalse();
        assertThat(audit.accepts(4, 0)).isFalse();
    }

    @Test
    void numbersBeyondThirtyTwoBits() {
        AuditedTopic topic = AuditedTopic.ofOne();
        long era = 1L << 32;
        topic.receivedRange(era - 2L * PAGE, era - 10);
        topic.receivedRange(era - 9, era + 2L * PAGE);
        topic.received(era - 10, era - 10, era + 5);
        topic.receivedRange(era + 2L * PAGE + 1, era + 3L * PAGE);
        AuditReport.SubscriptionReport report = topic.report();
        assertThat(report.unexpected()).isEqualTo(5L * PAGE - 1);
        assertThat(report.duplicated()).isEqualTo(2);
        assertThat(report.outOfOrder()).isEqualTo(1);
    }
}
