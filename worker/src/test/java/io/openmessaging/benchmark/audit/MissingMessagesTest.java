package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditPart.ArrivalCounts;
import io.openmessaging.benchmark.audit.AuditPart.Dispatches;
import io.openmessaging.benchmark.audit.AuditPart.SubscriptionKey;
import io.openmessaging.benchmark.audit.AuditPart.Unreported;
import io.openmessaging.benchmark.audit.AuditReport.WaitEnd;
import io.openmessaging.benchmark.availability.Availability;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Missing messages to look for, and the effect of finding them on the audit. */
class MissingMessagesTest {

    private static final Map<String, List<Integer>> TOPICS = Map.of("a", List.of(0), "b", List.of(1));

    /** Producer 0 sent 100 messages; the last ten were refused. */
    private static final Dispatches OF_A = AuditFixture.dispatches(100, 0, 10);

    private static AuditPart part(Dispatches dispatches, ArrivalCounts... arrivals) {
        return new AuditPart(List.of(dispatches), List.of(arrivals));
    }

    private static AuditReport report(int subscriptions, AuditPart... parts) {
        return AuditReport.of(List.of(parts), TOPICS, subscriptions, WaitEnd.SETTLED);
    }

    private static void comeAgain(MissingMessages missing, int producer, long from, long to) {
        for (long sequence = from; sequence < to; sequence++) {
            missing.came(producer, sequence);
        }
    }

    @Test
    void whatHasArrivedOrWasRefusedIsNotSought() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 90, 0));
        MissingMessages missing = new MissingMessages(part, TOPICS, 1);

        assertThat(missing.left()).isZero();
        assertThat(missing.topics()).isEmpty();
        assertThat(missing.found().arrivals()).isEmpty();
    }

    @Test
    void whatIsFoundCountsAsArrived() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 70, 0));
        MissingMessages missing = new MissingMessages(part, TOPICS, 1);
        assertThat(missing.left()).isEqualTo(20);
        assertThat(missing.topics()).containsExactly("a");

        // 75 is lost; the refused messages are there nevertheless.
        comeAgain(missing, 0, 0, 75);
        comeAgain(missing, 0, 76, 100);
        assertThat(missing.left()).isEqualTo(1);
        assertThat(report(1, part, missing.found()).lost()).isEqualTo(1);
    }

    @Test
    void aSecondSubscriptionThatHasItGetsNothingMore() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 70, 0), AuditFixture.arrivals("a", 1, 0, 90, 0));
        MissingMessages missing = new MissingMessages(part, TOPICS, 2);
        assertThat(missing.left()).isEqualTo(20);

        comeAgain(missing, 0, 0, 90);
        AuditReport report = report(2, part, missing.found());
        assertThat(report.lost()).isZero();
        assertThat(report.duplicated()).isZero();
        assertThat(report.subscriptions()).allMatch(subscription -> subscription.received() == 90);
    }

    @Test
    void aMessageThatTwoSubscriptionsLackIsFoundOnceAndCountsForBoth() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 70, 0), AuditFixture.arrivals("a", 1, 0, 80, 0));
        MissingMessages missing = new MissingMessages(part, TOPICS, 2);

        assertThat(missing.left()).isEqualTo(20);
        comeAgain(missing, 0, 0, 85);
        comeAgain(missing, 0, 0, 85);
        assertThat(missing.left()).isEqualTo(5);
        assertThat(report(2, part, missing.found()).lost()).isEqualTo(10);
    }

    @Test
    void whatOneOfSeveralWorkersHasIsNotMissing() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 50, 0), AuditFixture.arrivals("a", 0, 50, 40, 0));

        assertThat(new MissingMessages(part, TOPICS, 1).left()).isZero();
    }

    @Test
    void whatALostWorkerMayHaveGotIsNotSought() {
        Unreported unreported = new Unreported(Map.of(), Set.of(new SubscriptionKey("a", 0)));
        AuditPart part = new AuditPart(List.of(OF_A), List.of(), unreported, Availability.NONE);

        assertThat(new MissingMessages(part, TOPICS, 1).left()).isZero();
    }

    @Test
    void strangersAreNobodysMessages() {
        AuditPart part = part(OF_A, AuditFixture.arrivals("a", 0, 0, 70, 0));
        MissingMessages missing = new MissingMessages(part, TOPICS, 1);

        missing.came(-1, 71);
        missing.came(5, 71);
        missing.came(0, -1);
        missing.came(0, Long.MAX_VALUE);
        assertThat(missing.left()).isEqualTo(20);
    }
}
