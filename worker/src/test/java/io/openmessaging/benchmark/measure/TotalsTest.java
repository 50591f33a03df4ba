package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TotalsTest {

    private static Totals totals(long sent, long acknowledged, long failed, Long... received) {
        return new Totals(sent, acknowledged, failed, List.of(received), 0);
    }

    @Test
    void theBacklogHasTheCopiesOfEverySubscription() {
        Totals totals = totals(100, 90, 0, 80L, 30L);
        assertThat(totals.backlog()).isEqualTo(20 + 70);
        assertThat(totals.largestBacklog()).isEqualTo(70);
        assertThat(totals.receivedByAll()).isEqualTo(110);
    }

    @Test
    void refusedMessagesAreNotWaitedFor() {
        Totals totals = totals(100, 85, 10, 60L);
        assertThat(totals.backlog()).isEqualTo(30);
        assertThat(totals.largestBacklog()).isEqualTo(30);
        assertThat(totals.inFlight()).isEqualTo(5);
    }

    @Test
    void duplicatesForOneSubscriptionDoNotHideTheBacklogOfAnother() {
        Totals totals = totals(100, 100, 0, 150L, 90L);
        assertThat(totals.backlog()).isEqualTo(10);
        assertThat(totals.largestBacklog()).isEqualTo(10);
    }

    @Test
    void whatComesAgainIsNoFirstArrival() {
        Totals totals = new Totals(100, 100, 0, List.of(150L, 90L), 0, List.of(75L, 0L), 0);
        assertThat(totals.backlog()).isEqualTo(25 + 10);
        assertThat(totals.largestBacklog()).isEqualTo(25);
        assertThat(totals.receivedByAll()).isEqualTo(240);
        assertThat(totals.plus(totals).duplicated()).containsExactly(150L, 0L);
        assertThat(totals.minus(totals)).isEqualTo(Totals.none(2));
    }

    @Test
    void withoutSubscriptionsThereIsNoBacklog() {
        Totals totals = totals(100, 50, 0);
        assertThat(totals.backlog()).isZero();
        assertThat(totals.largestBacklog()).isZero();
        assertThat(totals.receivedByAll()).isZero();
    }

    @Test
    void totalsAreAddedAndSubtractedFieldByField() {
        Totals a = new Totals(100, 80, 3, List.of(70L, 60L), 2, List.of(3L, 0L), 9);
        Totals b = new Totals(10, 7, 1, List.of(6L, 5L), 4, List.of(1L, 2L), 5);
        assertThat(a.plus(b)).isEqualTo(new Totals(110, 87, 4, List.of(76L, 65L), 6, List.of(4L, 2L), 14));
        assertThat(a.plus(b).minus(b)).isEqualTo(a);
        assertThat(a.minus(a)).isEqualTo(Totals.none(2));
    }
}
