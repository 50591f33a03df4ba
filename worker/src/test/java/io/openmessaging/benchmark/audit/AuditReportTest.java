package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.worker.protocol.Wire;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AuditReportTest {

    private static AuditPart.Dispatches dispatches(int producer, int sent, long... failed) {
        ProducerAudit audit = new ProducerAudit(producer);
        for (int i = 0; i < sent; i++) {
            assertThat(audit.nextSequence()).isEqualTo(i);
        }
        for (long sequence : failed) {
            audit.failed(sequence);
        }
        return audit.dispatches();
    }

    private static AuditPart.ArrivalCounts arrivals(String topic, int subscription, int producer, long... sequences) {
        SubscriptionAudit audit = new SubscriptionAudit(topic, subscription);
        ConsumerAudit consumer = new ConsumerAudit(audit, producer, 1, 1);
        for (long sequence : sequences) {
            consumer.note(producer, sequence, 0);
        }
        consumer.close();
        return audit.arrivals();
    }

    private static AuditReport.SubscriptionReport ofOne(AuditPart.Dispatches dispatches, long... received) {
        AuditPart part = new AuditPart(List.of(dispatches), List.of(arrivals("t", 0, dispatches.producer(), received)));
        return AuditReport.of(
                        List.of(part), Map.of("t", List.of(dispatches.producer())), 1, AuditReport.WaitEnd.SETTLED)
                .subscriptions()
                .get(0);
    }

    @Test
    void everythingThatWasSentHasArrived() {
        assertThat(ofOne(dispatches(4, 3), 0, 1, 2))
                .isEqualTo(AuditFixture.subscription(0, 3, 3, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void aFailedMessageIsNotLost() {
        assertThat(ofOne(dispatches(4, 4, 1, 3), 0))
                .isEqualTo(AuditFixture.subscription(0, 2, 1, 1, 0, 0, 0, 0, List.of("producer 4: 2")));
    }

    @Test
    void aFailedMessageMayArriveAllTheSame() {
        assertThat(ofOne(dispatches(4, 4, 1, 3), 0, 1, 2))
                .isEqualTo(AuditFixture.subscription(0, 2, 3, 0, 0, 0, 1, 0, List.of()));
    }

    @Test
    void aFailedMessageThatArrivesDoesNotMakeUpForALostOne() {
        assertThat(ofOne(dispatches(4, 4, 1), 0, 1, 2))
                .isEqualTo(AuditFixture.subscription(0, 3, 3, 1, 0, 0, 1, 0, List.of("producer 4: 3")));
    }

    @Test
    void aNumberThatWasNeverSentIsUnexpectedAndDoesNotMakeUpForALostOne() {
        assertThat(ofOne(dispatches(4, 3), 0, 2, 3, 7))
                .isEqualTo(AuditFixture.subscription(0, 3, 4, 1, 0, 0, 0, 2, List.of("producer 4: 1")));
    }

    private static AuditReport.SubscriptionReport ofOne(
            AuditReport.WaitEnd end, AuditPart.Dispatches dispatches, long... received) {
        AuditPart part = new AuditPart(List.of(dispatches), List.of(arrivals("t", 0, dispatches.producer(), received)));
        return AuditReport.of(List.of(part), Map.of("t", List.of(dispatches.producer())), 1, end)
                .subscriptions()
                .get(0);
    }

    @Test
    void whatIsMissingIsLostOnceNothingMoreComes() {
        assertThat(ofOne(AuditReport.WaitEnd.SETTLED, dispatches(4, 10, 8), 0, 1, 4, 5))
                .isEqualTo(new AuditReport.SubscriptionReport(
                        0,
                        9,
                        4,
                        5,
                        0,
                        0,
                        0,
                        0L,
                        0,
                        0,
                        List.of("producer 4: 2..3", "producer 4: 6..7", "producer 4: 9"),
                        0));
    }

    @Test
    void whatIsMissingIsUndeliveredWhereTheWaitWasCut() {
        assertThat(ofOne(AuditReport.WaitEnd.CUT, dispatches(4, 10, 8), 0, 1, 4, 5))
                .isEqualTo(new AuditReport.SubscriptionReport(0, 9, 4, 0, 5, 0, 0, 0L, 0, 0, List.of(), 0));
    }

    @Test
    void inOrderWhatIsMissingBeforeTheNewestIsLostAllTheSame() {
        // 11 and 12 were never sent; 8 was refused.
        assertThat(ofOne(AuditReport.WaitEnd.CUT_IN_ORDER, dispatches(4, 10, 8), 0, 1, 4, 5, 11, 12))
                .isEqualTo(new AuditReport.SubscriptionReport(
                        0, 9, 6, 2, 3, 0, 0, 0L, 0, 2, List.of("producer 4: 2..3"), 0));
        assertThat(ofOne(AuditReport.WaitEnd.CUT_IN_ORDER, dispatches(4, 10)))
                .isEqualTo(new AuditReport.SubscriptionReport(0, 10, 0, 0, 10, 0, 0, 0L, 0, 0, List.of(), 0));
    }

    @Test
    void anOrderThatDoesNotHoldProvesNothing() {
        assertThat(ofOne(AuditReport.WaitEnd.CUT_IN_ORDER, dispatches(4, 10), 0, 4, 3, 5))
                .isEqualTo(new AuditReport.SubscriptionReport(0, 10, 4, 0, 6, 0, 0, 1L, 0, 0, List.of(), 0));
    }

    @Test
    void gapsAreToldAsTheyAreUpToALimit() {
        assertThat(ofOne(dispatches(2, 30, 5, 11), 0, 1, 3, 4, 6, 10, 13, 29).firstLost())
                .containsExactly("producer 2: 2", "producer 2: 7..9", "producer 2: 12", "producer 2: 14..28");
        long[] even = IntStream.range(0, 50).mapToLong(i -> 2L * i).toArray();
        AuditReport.SubscriptionReport manyGaps = ofOne(dispatches(2, 100), even);
        assertThat(manyGaps.lost()).isEqualTo(50);
        assertThat(manyGaps.firstLost()).hasSize(10).startsWith("producer 2: 1").endsWith("producer 2: 19");
    }

    @Test
    void gapsAreToldOfEachProducer() {
        AuditPart part = new AuditPart(
                List.of(dispatches(0, 2), dispatches(1, 3)), List.of(arrivals("a", 0, 0, 0), arrivals("b", 0, 1, 1)));
        Map<String, List<Integer>> topics = new LinkedHashMap<>();
        topics.put("a", List.of(0));
        topics.put("b", List.of(1));
        AuditReport report = AuditReport.of(List.of(part), topics, 1, AuditReport.WaitEnd.SETTLED);
        assertThat(report.subscriptions().get(0).firstLost())
                .containsExactly("producer 0: 1", "producer 1: 0", "producer 1: 2");
        assertThat(report.producers()).isEqualTo(2);
        assertThat(report.sent()).isEqualTo(5);
        assertThat(report.lost()).isEqualTo(3);
    }

    @Test
    void subscriptionsAreComparedApartAndSummedUp() {
        AuditPart part = new AuditPart(
                List.of(dispatches(0, 4, 3)), List.of(arrivals("t", 0, 0, 0, 2, 1, 2), arrivals("t", 1, 0, 0)));
        AuditReport report = AuditReport.of(List.of(part), Map.of("t", List.of(0)), 3, AuditReport.WaitEnd.SETTLED);
        assertThat(report.subscriptions())
                .containsExactly(
                        AuditFixture.subscription(0, 3, 4, 0, 1, 1, 0, 0, List.of()),
                        AuditFixture.subscription(1, 3, 1, 2, 0, 0, 0, 0, List.of("producer 0: 1..2")),
                        AuditFixture.subscription(2, 3, 0, 3, 0, 0, 0, 0, List.of("producer 0: 0..2")));
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.lost()).isEqualTo(5);
        assertThat(report.duplicated()).isEqualTo(1);
        assertThat(report.outOfOrder()).isEqualTo(1);
    }

    @Test
    void whatCameToTwoWorkersCameTwice() {
        AuditPart one = new AuditPart(List.of(dispatches(0, 6)), List.of(arrivals("t", 0, 0, 0, 1, 2, 2)));
        AuditPart other = new AuditPart(List.of(dispatches(1, 2)), List.of(arrivals("t", 0, 0, 2, 3, 5, 4)));
        for (List<AuditPart> parts : List.of(List.of(one, other), List.of(other, one))) {
            AuditReport report = AuditReport.of(parts, Map.of("t", List.of(0, 1)), 1, AuditReport.WaitEnd.SETTLED);
            assertThat(report.producers()).isEqualTo(2);
            assertThat(report.sent()).isEqualTo(8);
            assertThat(report.subscriptions())
                    .containsExactly(AuditFixture.subscription(0, 8, 8, 2, 2, 1, 0, 0, List.of("producer 1: 0..1")));
        }
    }

    @Test
    void whatCameLateToOneWorkerAndInOrderToAnotherIsDuplicatedOnly() {
        AuditPart one = new AuditPart(List.of(dispatches(0, 4)), List.of(arrivals("t", 0, 0, 0, 1)));
        AuditPart other = new AuditPart(List.of(), List.of(arrivals("t", 0, 0, 3, 2, 1)));
        for (List<AuditPart> parts : List.of(List.of(one, other), List.of(other, one))) {
            assertThat(AuditReport.of(parts, Map.of("t", List.of(0)), 1, AuditReport.WaitEnd.SETTLED)
                            .subscriptions())
                    .containsExactly(AuditFixture.subscription(0, 4, 5, 0, 1, 1, 0, 0, List.of()));
        }
    }

    /**
     * Reports on a run of one topic, one subscription, and producers 0 and 1, from its reported and unreported parts.
     */
    private static AuditReport ofTwo(AuditReport.WaitEnd end, AuditPart told, AuditPart.Unreported unreported) {
        return AuditReport.of(List.of(told, AuditPart.lost(unreported)), Map.of("t", List.of(0, 1)), 1, end);
    }

    @Test
    void whatAConsumerThatWasLostMayHaveGotIsInDoubt() {
        AuditPart told = new AuditPart(
                List.of(dispatches(0, 6, 4), dispatches(1, 2)), List.of(arrivals("t", 0, 0, 0, 2, 1, 1, 7)));
        AuditPart.Unreported unreported =
                new AuditPart.Unreported(Map.of(), Set.of(new AuditPart.SubscriptionKey("t", 0)));
        for (AuditReport.WaitEnd end : AuditReport.WaitEnd.values()) {
            AuditReport report = ofTwo(end, told, unreported);
            assertThat(report.subscriptions())
                    .containsExactly(new AuditReport.SubscriptionReport(0, 7, 5, 0, 0, 4, 1, 1L, 0, 1, List.of(), 0));
            assertThat(report.inDoubt()).isEqualTo(4);
            assertThat(report.producersInDoubt()).isZero();
            assertThat(report.sent()).isEqualTo(8);
        }
        // A consumer of another subscription or another topic would have received none of them.
        AuditPart.Unreported elsewhere = new AuditPart.Unreported(
                Map.of(), Set.of(new AuditPart.SubscriptionKey("t", 1), new AuditPart.SubscriptionKey("u", 0)));
        assertThat(ofTwo(AuditReport.WaitEnd.SETTLED, told, elsewhere).lost()).isEqualTo(4);
    }

    @Test
    void ofAProducerThatWasLostOnlyWhatArrivedProvesWhatWasSent() {
        AuditPart told =
                new AuditPart(List.of(dispatches(1, 2)), List.of(arrivals("t", 0, 0, 0, 1, 4), arrivals("t", 0, 1, 0)));
        AuditReport report =
                ofTwo(AuditReport.WaitEnd.SETTLED, told, new AuditPart.Unreported(Map.of(0, 0L), Set.of()));
        assertThat(report)
                .isEqualTo(new AuditReport(
                        2,
                        1,
                        7,
                        0,
                        List.of(new AuditReport.SubscriptionReport(
                                0, 7, 4, 1, 0, 2, 0, 0L, 0, 0, List.of("producer 1: 1"), 0))));
        // Once it is reported after all, none of it is in doubt.
        AuditPart late = new AuditPart(List.of(dispatches(0, 5)), List.of());
        assertThat(AuditReport.of(
                                List.of(
                                        AuditPart.together(List.of(
                                                told,
                                                AuditPart.lost(new AuditPart.Unreported(Map.of(0, 0L), Set.of())))),
                                        late),
                                Map.of("t", List.of(0, 1)),
                                1,
                                AuditReport.WaitEnd.SETTLED)
                        .lost())
                .isEqualTo(3);
    }

    @Test
    void aProducerOfWhichNothingArrivedHasSentNothingThatIsKnown() {
        AuditPart told = new AuditPart(List.of(dispatches(1, 0)), List.of());
        AuditReport report =
                ofTwo(AuditReport.WaitEnd.SETTLED, told, new AuditPart.Unreported(Map.of(0, 0L), Set.of()));
        assertThat(report.producersInDoubt()).isEqualTo(1);
        assertThat(report.sent()).isZero();
        assertThat(report.inDoubt()).isZero();
    }

    @Test
    void comparingDoesNotChangeTheParts() {
        AuditPart part = new AuditPart(List.of(dispatches(0, 4, 2)), List.of(arrivals("t", 0, 0, 1, 0)));
        AuditReport first =
                AuditReport.of(List.of(part, part), Map.of("t", List.of(0)), 1, AuditReport.WaitEnd.SETTLED);
        assertThat(AuditReport.of(List.of(part, part), Map.of("t", List.of(0)), 1, AuditReport.WaitEnd.SETTLED))
                .isEqualTo(first);
    }

    @Test
    void aPartIsTheSameAfterItsWayThroughBytes() {
        long[] even = IntStream.range(0, 20_000).mapToLong(i -> 2L * i).toArray();
        AuditPart part = new AuditPart(
                List.of(dispatches(0, 40_000, 3, 7), dispatches(1, 0)),
                List.of(arrivals("t", 0, 0, even), arrivals("t", 1, 0, 0, 2, 1, 1), arrivals("ü", 1, 1)));
        AuditPart read = Wire.read(Wire.write(part), AuditPart.class);
        assertThat(read).isEqualTo(part).hasSameHashCodeAs(part);
        assertThat(AuditReport.of(List.of(read), Map.of("t", List.of(0)), 2, AuditReport.WaitEnd.SETTLED))
                .isEqualTo(AuditReport.of(List.of(part), Map.of("t", List.of(0)), 2, AuditReport.WaitEnd.SETTLED));
    }

    @Test
    void whatHappensLaterIsNotPartOfIt() {
        ProducerAudit producer = new ProducerAudit(0);
        assertThat(producer.nextSequence()).isZero();
        AuditPart.Dispatches dispatches = producer.dispatches();
        producer.failed(0);
        assertThat(dispatches).isEqualTo(dispatches(0, 1)).isNotEqualTo(dispatches(0, 1, 0));

        SubscriptionAudit subscription = new SubscriptionAudit("t", 0);
        AuditPart.ArrivalCounts arrivals = subscription.arrivals();
        ConsumerAudit consumer = new ConsumerAudit(subscription, 0, 1, 1);
        consumer.note(0, 0, 0);
        consumer.close();
        assertThat(arrivals).isEqualTo(arrivals("t", 0, 0));
        assertThat(subscription.arrivals()).isEqualTo(arrivals("t", 0, 0, 0)).isNotEqualTo(arrivals);
    }

    @Test
    void withoutSubscriptionsOnlySendingIsReported() {
        AuditReport report = AuditReport.of(
                List.of(new AuditPart(List.of(dispatches(0, 4, 2)), List.of())),
                Map.of(),
                0,
                AuditReport.WaitEnd.SETTLED);
        assertThat(report).isEqualTo(new AuditReport(1, 4, 1, List.of()));
    }

    @Test
    void aFailureToldTwiceIsOneFailedMessage() {
        assertThat(dispatches(0, 3, 1, 1).failed().cardinality()).isEqualTo(1);
    }
}
