package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditReport.SubscriptionReport;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of a search are counted apart from those of the measurement. */
class SearchAuditTest {

    private static final SubscriptionReport NOTHING = AuditFixture.subscription(0, 0, 0, 0, 0, 0, 0, 0, List.of());

    @Test
    void withoutASearchEverythingIsMeasured() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 4);
        topic.received(0, 1, 1, 3);
        assertThat(topic.compare())
                .containsExactly(AuditFixture.subscription(0, 4, 4, 1, 1, 0, 0, 0, List.of("producer 0: 2")), NOTHING);
    }

    @Test
    void whatASearchLosesIsNotLostInTheMeasurement() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 100);
        topic.receivedRange(20, 100);
        topic.endSearch();
        topic.sent(0, 50);
        topic.receivedRange(100, 149);
        assertThat(topic.compare())
                .containsExactly(
                        AuditFixture.subscription(0, 50, 49, 1, 0, 0, 0, 0, List.of("producer 0: 149")),
                        AuditFixture.subscription(0, 100, 80, 20, 0, 0, 0, 0, List.of("producer 0: 0..19")));
    }

    @Test
    void aMessageOfTheSearchThatComesLaterIsItsOwn() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 4);
        topic.received(0, 0, 2);
        topic.endSearch();
        topic.sent(0, 4);
        // 1 is late, 2 arrives again, 5 is late, 6 arrives again, and 9 was never sent.
        topic.received(4, 6, 1, 2, 5, 6, 7, 9);
        assertThat(topic.compare())
                .containsExactly(
                        AuditFixture.subscription(0, 4, 6, 0, 1, 1, 0, 1, List.of()),
                        AuditFixture.subscription(0, 4, 5, 1, 2, 1, 0, 0, List.of("producer 0: 3")));
    }

    /** A measurement turns out to be a try of the search: all messages sent until then belong to the search. */
    @Test
    void aSearchMayEndAgainLater() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 4);
        topic.received(0, 1, 1, 2);
        topic.endSearch();
        topic.sent(0, 4);
        // 2 of the search and 4 of the measurement arrive again, and 7 is lost.
        topic.received(2, 4, 4, 5, 6);
        topic.endSearch();
        topic.sent(0, 4);
        topic.received(5, 8, 9, 9, 10, 11);
        assertThat(topic.compare())
                .containsExactly(
                        AuditFixture.subscription(0, 4, 5, 0, 1, 0, 0, 0, List.of()),
                        AuditFixture.subscription(0, 8, 10, 2, 4, 0, 0, 0, List.of("producer 0: 3", "producer 0: 7")));
    }

    @Test
    void whatIsRefusedIsOfItsRange() {
        AuditedTopic topic = AuditedTopic.ofOne();
        topic.sent(0, 3);
        topic.producer(0).failed(1);
        topic.endSearch();
        topic.sent(0, 3);
        topic.producer(0).failed(4);
        topic.producer(0).failed(5);
        topic.received(0, 1, 2, 3, 4);
        assertThat(topic.compare())
                .containsExactly(
                        AuditFixture.subscription(0, 1, 2, 0, 0, 0, 1, 0, List.of()),
                        AuditFixture.subscription(0, 2, 3, 0, 0, 0, 1, 0, List.of()));
    }

    /** The search ends while a consumer receives its last messages, each of them twice. */
    @Test
    void itMakesNoDifferenceWhenInTheCourseOfLateMessagesTheSearchEnds() throws InterruptedException {
        int messages = 300_000;
        SubscriptionAudit subscription = new SubscriptionAudit("topic", 0);
        ConsumerAudit consumer = new ConsumerAudit(subscription, 0, 1, 1);
        ProducerAudit producer = new ProducerAudit(0);
        for (int i = 0; i < messages; i++) {
            producer.nextSequence();
        }
        CountDownLatch halfway = new CountDownLatch(1);
        Thread late = new Thread(() -> {
            for (int i = 0; i < messages; i++) {
                consumer.note(0, i, 0);
                consumer.note(0, i, 0);
                if (i == messages / 2) {
                    halfway.countDown();
                }
            }
        });
        late.start();
        Patience.await("half of the messages", halfway);
        subscription.endSearch(new long[] {producer.endSearch()});
        Patience.join(late);
        for (int i = 0; i < 7; i++) {
            consumer.note(0, producer.nextSequence(), 0);
            consumer.note(0, messages, 0);
        }
        consumer.close();
        assertThat(subscription.arrivals().duplicatedInSearch()).isEqualTo(messages);
        assertThat(subscription.arrivals().duplicated()).isEqualTo(7);
    }

    /** With faults before and after the end of a search, both parts together equal one audit of everything. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bothPartsTogetherAreTheWhole(int workers) {
        for (int seed = 0; seed < 15; seed++) {
            AuditedTopic whole = new AuditedTopic(2, 2, 3, workers);
            AuditedTopic parts = new AuditedTopic(2, 2, 3, workers);
            deliver(new Random(seed), List.of(whole, parts));
            parts.endSearch();
            AuditedTopic searchAlone = new AuditedTopic(2, 2, 3, workers);
            deliver(new Random(seed), List.of(searchAlone));
            deliver(new Random(-1 - seed), List.of(whole, parts));

            SubscriptionReport all = whole.report();
            List<SubscriptionReport> apart = parts.compare();
            assertThat(apart.get(1)).as("seed %d", seed).isEqualTo(searchAlone.report());
            for (ToLongFunction<SubscriptionReport> count : COUNTS) {
                assertThat(apart.stream().mapToLong(count).sum())
                        .as("seed %d", seed)
                        .isEqualTo(count.applyAsLong(all));
            }
            assertThat(all.lost()).isPositive();
            assertThat(all.duplicated()).isPositive();
        }
    }

    private static final List<ToLongFunction<SubscriptionReport>> COUNTS = List.of(
            SubscriptionReport::expected,
            SubscriptionReport::received,
            SubscriptionReport::lost,
            SubscriptionReport::duplicated,
            SubscriptionReport::outOfOrder,
            SubscriptionReport::failedButReceived,
            SubscriptionReport::unexpected);

    /** Delivers the same messages to each topic: some are lost, and some arrive twice, partly at another consumer. */
    private static void deliver(Random random, List<AuditedTopic> topics) {
        for (int producer = 0; producer < 2; producer++) {
            List<Long> again = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                long sequence = -1;
                for (AuditedTopic topic : topics) {
                    sequence = topic.producer(producer).nextSequence();
                }
                boolean lost = random.nextInt(1000) == 0;
                if (!lost) {
                    note(topics, (int) (sequence % 2), producer, sequence);
                }
                if (!lost && random.nextInt(500) == 0) {
                    again.add(sequence);
                }
            }
            for (long sequence : again) {
                note(topics, random.nextInt(3), producer, sequence);
            }
        }
    }

    private static void note(List<AuditedTopic> topics, int consumer, int producer, long sequence) {
        topics.forEach(topic -> topic.consumer(consumer).note(producer, sequence, (int) (sequence % 2)));
    }
}
