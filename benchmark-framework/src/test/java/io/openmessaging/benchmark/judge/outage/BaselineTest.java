package io.openmessaging.benchmark.judge.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounters;
import io.openmessaging.benchmark.availability.SlotSums;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Latencies of 60 s whose first fault starts after 20 s: 50 messages in each slot of 100 ms. */
class BaselineTest {

    private static final long MS = 1_000_000;
    private static final int A_SLOT = 50;
    private static final int FAULT = 200;
    private static final int END = 600;
    private static final int SYSTEMS = 300;

    private SlotCounters latencies = new SlotCounters(LatencyBuckets.COUNT);

    private void take(int fromSlot, int toSlot, long latencyMs) {
        take(fromSlot, toSlot, latencyMs, A_SLOT);
    }

    private void take(int fromSlot, int toSlot, long latencyMs, int messages) {
        for (int slot = fromSlot; slot < toSlot; slot++) {
            for (int i = 0; i < messages; i++) {
                latencies.add(slot, LatencyBuckets.of(latencyMs * MS));
            }
        }
    }

    /** Makes each 33rd slot slow, as before the fault. */
    private void takeHiccups(int toSlot) {
        take(0, END, 2);
        for (int slot = 10; slot < toSlot; slot += 33) {
            take(slot, slot + 1, 100);
        }
    }

    /**
     * Counts systems with this judgement among {@link #SYSTEMS} that no fault has changed and whose slots are slow by
     * chance.
     */
    private long countUnchanged(Predicate<Baseline> judgement) {
        Random random = new Random(4711);
        return IntStream.range(0, SYSTEMS)
                .mapToObj(i -> {
                    latencies = new SlotCounters(LatencyBuckets.COUNT);
                    for (int slot = 0; slot < END; slot++) {
                        take(slot, slot + 1, random.nextInt(100) < 3 ? 100 : 2, 1);
                    }
                    return baseline();
                })
                .filter(judgement)
                .count();
    }

    private Baseline baseline() {
        return new Baseline(new SlotSums(latencies.counts(), LatencyBuckets.COUNT), 0, END, FAULT);
    }

    @Test
    void aStallBeforeTheFaultHidesNothing() {
        take(0, 50, 2);
        take(50, 54, 400);
        take(54, FAULT, 2);
        take(FAULT, 400, 52);
        take(400, END, 2);

        Baseline baseline = baseline();

        assertThat(baseline.p99Ns()).isBetween(2 * MS, 3 * MS);
        assertThat(baseline.isSlow(51)).as("the stall itself").isTrue();
        for (int slot = FAULT; slot < 400; slot++) {
            assertThat(baseline.isSlow(slot)).as("slot %s", slot).isTrue();
        }
        assertThat(baseline.isAsBefore(300, 400)).isFalse();
        assertThat(baseline.isAsBefore(350, 450)).isFalse();
        assertThat(baseline.isAsBefore(400, 500)).isTrue();
    }

    @Test
    void aDelayOfEveryMessageIsSeenWhereTheTailIsLong() {
        take(0, FAULT, 2, A_SLOT - 2);
        take(0, FAULT, 30, 2);
        take(FAULT, END, 52);

        Baseline baseline = baseline();

        assertThat(baseline.p99Ns()).as("times three it is above the delay").isGreaterThan(30 * MS);
        assertThat(baseline.isSlow(100)).isFalse();
        assertThat(baseline.isSlow(300)).isTrue();
        assertThat(baseline.isAsBefore(300, 400)).isFalse();
    }

    @Test
    void hiccupsThatCameBeforeMayComeAgainAndNotMoreOften() {
        takeHiccups(500);
        take(510, 518, 100);

        Baseline baseline = baseline();

        assertThat(baseline.isAsBefore(300, 400)).isTrue();
        assertThat(baseline.isAsBefore(400, 500)).isTrue();
        assertThat(baseline.isAsBefore(500, 600))
                .as("eight, of which seven may be chance")
                .isFalse();
    }

    @Test
    void aSystemWithHiccupsByChanceIsSoonAsBefore() {
        long within5s = countUnchanged(baseline -> IntStream.range(FAULT, FAULT + 50)
                .anyMatch(slot -> !baseline.isSlow(slot) && baseline.isAsBefore(slot, slot + 100)));

        assertThat(within5s).as("of %s systems", SYSTEMS).isGreaterThan(SYSTEMS * 95 / 100);
    }

    /** The first slow slot after the fault that chance does not explain; -1 if none. */
    private static int firstAffected(Baseline baseline) {
        return IntStream.range(FAULT, END)
                .filter(slot -> baseline.isSlowByMoreThanChance(slot, END))
                .findFirst()
                .orElse(-1);
    }

    @Test
    void hiccupsByChanceAreNoEffectOfTheFault() {
        long affected = countUnchanged(baseline -> firstAffected(baseline) >= 0);

        assertThat(affected).as("of %s systems", SYSTEMS).isLessThan(SYSTEMS / 10);
    }

    @Test
    void whatTheFaultSlowsDownIsSeenAmongHiccups() {
        takeHiccups(END);
        take(250, 270, 100);

        assertThat(firstAffected(baseline())).isBetween(241, 250);
    }

    @Test
    void oneSlowSlotIsAnEffectWhereNoneWasBefore() {
        take(0, END, 2);
        take(305, 306, 100);

        assertThat(firstAffected(baseline())).isEqualTo(305);
    }

    @Test
    void aLittleSlowerIsNotAsBefore() {
        take(0, FAULT, 10);
        take(FAULT, END, 18);

        Baseline baseline = baseline();

        assertThat(baseline.isSlow(300)).isFalse();
        assertThat(baseline.isAsBefore(300, 400)).isFalse();
    }

    @Test
    void withoutAMessageBeforeTheFaultNothingIsSlow() {
        take(FAULT, END, 500);

        Baseline baseline = baseline();

        assertThat(baseline.p99Ns()).isZero();
        assertThat(baseline.isSlow(300)).isFalse();
        assertThat(baseline.isAsBefore(300, 400)).isTrue();
    }
}
