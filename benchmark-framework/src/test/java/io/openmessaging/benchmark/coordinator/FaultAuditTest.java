package io.openmessaging.benchmark.coordinator;

import static io.openmessaging.benchmark.coordinator.SimulatedOutages.MS;
import static io.openmessaging.benchmark.coordinator.SimulatedOutages.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.audit.AuditReport.WaitEnd;
import io.openmessaging.benchmark.coordinator.SimulatedOutages.Mode;
import io.openmessaging.benchmark.coordinator.SimulatedOutages.Outage;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.SystemState;
import io.openmessaging.benchmark.result.FaultOutcome.Window;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Scripted outages in virtual time: the report must match the script. */
class FaultAuditTest {

    private static final long START_NS = 1_800_000_000L * S + 37 * MS;
    private static final double RATE = 200;
    private static final int SCHEDULES = 50;
    private static final int MANY_SCHEDULES = 1000;

    /** Rate for tests with many simulations: just enough for some messages in each slot. */
    private static final double RATE_OF_MANY = 50;

    private static FaultOutcome.FaultReport run(long seconds, Outage... outages) {
        return run(seconds, WaitEnd.SETTLED, false, outages);
    }

    private static FaultOutcome.FaultReport run(long seconds, WaitEnd waitEnd, boolean readAnew, Outage... outages) {
        return new SimulatedOutages(List.of(outages)).run(START_NS, START_NS + seconds * S, RATE, waitEnd, readAnew);
    }

    private static Outage outage(double atS, double forS, Mode mode, int lost) {
        return outage(atS, forS, mode, lost, 0);
    }

    private static Outage outage(double atS, double forS, Mode mode, int lost, int kept) {
        long fromNs = START_NS + (long) (atS * S);
        return new Outage(fromNs, fromNs + (long) (forS * S), mode, lost, kept);
    }

    @Test
    void aSystemThatRefusesIsDownForAsLongAsItIsAway() {
        FaultOutcome fault = run(40, outage(10, 3, Mode.REFUSED, 0)).faults().get(0);

        assertThat(fault.downSeconds()).isCloseTo(3, within(0.03));
        assertThat(fault.detectedSeconds()).isLessThan(0.11);
        assertThat(fault.recoveredSeconds()).isLessThan(0.11);
        assertThat(fault.failoverSeconds()).as("nobody takes over").isNull();
        assertThat(fault.messages().failed()).isEqualTo(600);
        assertThat(fault.messages().acknowledgedLost()).isZero();
    }

    @Test
    void aSystemWhoseClientKeepsMessagesIsDownForAsLongAsItIsAway() {
        for (double seconds : List.of(0.3, 1.0, 3.0)) {
            FaultOutcome.FaultReport all = run(40, outage(10, seconds, Mode.KEPT, 0));
            FaultOutcome fault = all.faults().get(0);

            // Messages due in the last second are answered within a second, but the system was away when they were
            // due.
            assertThat(fault.downSeconds()).isCloseTo(seconds, within(0.03));
            assertThat(all.downSeconds()).isEqualTo(fault.downSeconds());
            assertThat(fault.degradedSeconds()).as("the rest of a slot").isLessThan(0.21);
            assertThat(fault.detectedSeconds()).isLessThan(0.11);
            assertThat(fault.messages().failed()).isZero();
            assertThat(fault.recoveredSeconds()).isNotNull().isLessThan(0.21);
            assertThat(fault.failoverSeconds()).as("nobody takes over").isNull();
            Window down = all.availability().stream()
                    .filter(window -> window.state() == SystemState.DOWN)
                    .findFirst()
                    .orElseThrow();
            assertThat((down.endNs() - down.startNs()) / 1e9).isCloseTo(seconds, within(0.03));
        }
    }

    @Test
    void downIsTheLongestGapAndTheOthersAreDegraded() {
        // In a fault of 8 s, the system answers for a moment after 2 s and is then away for 5 s more.
        long fromNs = START_NS + 10 * S;
        FaultOutcome.FaultReport all = new SimulatedOutages(List.of(
                        new Outage(fromNs, fromNs + 2 * S, Mode.KEPT, 0, 0, fromNs + 8 * S),
                        new Outage(fromNs + 2 * S + 200 * MS, fromNs + 7 * S, Mode.KEPT, 0, 0, fromNs + 8 * S)))
                .run(START_NS, START_NS + 60 * S, RATE, WaitEnd.SETTLED, false, 1);
        FaultOutcome fault = all.faults().get(0);

        assertThat(fault.downSeconds()).isCloseTo(4.8, within(0.03));
        assertThat(fault.degradedSeconds()).isBetween(2.0, 2.4);
        assertThat(fault.failoverSeconds()).isNotNull().isCloseTo(7, within(0.03));
    }

    @Test
    void ofSeveralFaultsTheLongestGapCounts() {
        FaultOutcome.FaultReport all = run(60, outage(10, 2, Mode.KEPT, 0), outage(30, 3, Mode.REFUSED, 0));

        assertThat(all.downSeconds()).isCloseTo(3, within(0.03));
    }

    @Test
    void betweenMessagesThatAreSeldomDueNothingIsDown() {
        FaultOutcome.FaultReport all = new SimulatedOutages(List.of(outage(10, 0, Mode.REFUSED, 0)))
                .run(START_NS, START_NS + 30 * S, 3, WaitEnd.SETTLED, false);

        assertThat(all.availability()).isEmpty();
        assertThat(all.downSeconds()).isZero();
    }

    @Test
    void consumersHaveNotCaughtUpWhileNothingArrives() {
        // The fault ends after 3 s; clients need 9 s more to find the system again.
        for (Mode mode : List.of(Mode.REFUSED, Mode.KEPT, Mode.BLOCKED)) {
            long fromNs = START_NS + 10 * S;
            FaultOutcome fault = run(60, new Outage(fromNs, fromNs + 12 * S, mode, 0, 0, fromNs + 3 * S))
                    .faults()
                    .get(0);

            assertThat(fault.caughtUpSeconds()).as(mode.name()).isNotNull().isCloseTo(9, within(0.21));
            assertThat(fault.recoveredSeconds()).as(mode.name()).isNotNull().isCloseTo(9, within(0.21));
            assertThat(fault.downSeconds()).as(mode.name()).isCloseTo(12, within(0.03));
        }
    }

    @Test
    void whatIsNotSentAnyMoreAfterAMomentIsNoRecovery() {
        FaultOutcome fault = run(40, outage(10, 3, Mode.REFUSED, 0), outage(14, 100, Mode.BLOCKED, 0))
                .faults()
                .get(0);

        assertThat(fault.recoveredSeconds()).isNull();
        assertThat(fault.caughtUpSeconds()).isNull();
    }

    @Test
    void othersTakeOverWhileTheFaultGoesOn() {
        for (Mode mode : List.of(Mode.REFUSED, Mode.KEPT)) {
            long fromNs = START_NS + 10 * S;
            FaultOutcome fault = run(60, new Outage(fromNs, fromNs + 3 * S, mode, 0, 0, fromNs + 8 * S))
                    .faults()
                    .get(0);
            assertThat(fault.failoverSeconds()).as(mode.name()).isBetween(2.99, 3.03);
            assertThat(fault.recoveredSeconds()).as("after the fault").isZero();
        }
    }

    @Test
    void whatIsNotSentAnyMoreIsDown() {
        // The client accepts nothing any more, and the measurement ends before the system is back.
        FaultOutcome fault = run(20, outage(15, 100, Mode.BLOCKED, 0)).faults().get(0);

        assertThat(fault.downSeconds()).isCloseTo(5, within(0.11));
        assertThat(fault.recoveredSeconds()).isNull();
    }

    @Test
    void anOutageThatOutlastsTheMeasurementEndsWithTheNextAnswer() {
        FaultOutcome.FaultReport all = run(20, outage(15, 8, Mode.KEPT, 0));

        assertThat(all.downSeconds()).isCloseTo(8, within(0.03));
        Window last = all.availability().get(all.availability().size() - 1);
        assertThat(last.state()).isEqualTo(SystemState.DOWN);
        assertThat(last.endNs()).as("windows are of the measurement").isLessThanOrEqualTo(START_NS + 20 * S);
    }

    @Test
    void whatAClientTakesLateIsDueWhenItWasToBeSent() {
        FaultOutcome fault = run(40, outage(10, 3, Mode.BLOCKED, 0)).faults().get(0);

        assertThat(fault.downSeconds()).isCloseTo(3, within(0.03));
        assertThat(fault.degradedSeconds()).isLessThan(0.21);
    }

    @Test
    void lossesBelongToTheFaultBeforeWhichTheyWereSent() {
        FaultOutcome.FaultReport all =
                run(60, outage(10, 1, Mode.REFUSED, 3), outage(30, 1, Mode.KEPT, 0), outage(45, 2, Mode.KEPT, 17));

        assertThat(all.faults())
                .extracting(fault -> fault.messages().acknowledgedLost())
                .containsExactly(3L, 0L, 17L);
        assertThat(all.before().acknowledgedLost()).isZero();
        long sent = all.before().sent()
                + all.faults().stream()
                        .mapToLong(fault -> fault.messages().sent())
                        .sum();
        assertThat(sent).as("each message belongs to one").isEqualTo(60 * 200);
    }

    @Test
    void aBacklogThatIsLostBelongsToTheFaultHoweverOldItIs() {
        // At 200 msg/s, the lost messages are those sent in the five seconds before.
        FaultOutcome.FaultReport all = run(40, outage(10, 1, Mode.REFUSED, 1000));

        assertThat(all.before().acknowledgedLost())
                .as("no more than what shares a slot")
                .isLessThanOrEqualTo(20);
        assertThat(all.faults().get(0).messages().acknowledgedLost()).isGreaterThanOrEqualTo(980);
        assertThat(all.before().sent() + all.faults().get(0).messages().sent()).isEqualTo(40 * 200);
    }

    @Test
    void randomSchedulesAreFoundOutExactly() {
        assertFoundOut(SCHEDULES);
    }

    @Test
    @LongSuite("3 million messages: of random schedules, only many have met each edge of a slot")
    void aThousandRandomSchedulesAreFoundOutExactly() {
        assertFoundOut(MANY_SCHEDULES);
    }

    private static void assertFoundOut(int schedules) {
        SplittableRandom random = new SplittableRandom(20261124);
        for (int i = 0; i < schedules; i++) {
            List<Outage> outages = new ArrayList<>();
            double atS = 3 + 2 * random.nextDouble();
            while (atS < 45) {
                double forS = 0.3 + 4 * random.nextDouble();
                outages.add(outage(atS, forS, Mode.REFUSED, random.nextInt(5), random.nextInt(5)));
                atS += forS + 11 + 5 * random.nextDouble();
            }
            FaultOutcome.FaultReport all =
                    new SimulatedOutages(outages).run(START_NS, START_NS + 62 * S, RATE_OF_MANY, WaitEnd.SETTLED, true);
            assertFoundOut(all, outages, "schedule " + i);
        }
    }

    private static void assertFoundOut(FaultOutcome.FaultReport all, List<Outage> outages, String name) {
        List<Window> down = all.availability().stream()
                .filter(window -> window.state() == SystemState.DOWN)
                .toList();
        assertThat(down).as(name).hasSameSizeAs(outages);
        for (int i = 0; i < outages.size(); i++) {
            // Precise to the distance between messages plus a fine slot.
            assertThat(down.get(i).startNs()).as(name).isCloseTo(outages.get(i).fromNs(), within(31 * MS));
            assertThat(down.get(i).endNs()).as(name).isCloseTo(outages.get(i).toNs(), within(31 * MS));
            FaultOutcome fault = all.faults().get(i);
            assertThat(fault.downSeconds())
                    .as(name)
                    .isCloseTo((outages.get(i).toNs() - outages.get(i).fromNs()) / 1e9, within(0.04));
            assertThat(fault.messages().acknowledgedLost())
                    .as(name)
                    .isEqualTo(outages.get(i).lostBefore());
            assertThat(fault.messages().found())
                    .as(name)
                    .isEqualTo(outages.get(i).keptBefore());
            assertThat(fault.recoveredSeconds()).as(name).isNotNull().isLessThan(0.11);
        }
    }

    @Test
    void withoutAnOutageNothingIsFound() {
        // A fault of zero length does nothing.
        FaultOutcome.FaultReport all = run(30, outage(10, 0, Mode.REFUSED, 0));

        assertThat(all.availability()).isEmpty();
        FaultOutcome fault = all.faults().get(0);
        assertThat(fault.detectedSeconds()).isNull();
        assertThat(fault.downSeconds() + fault.degradedSeconds() + fault.partlyDownSeconds())
                .isZero();
        assertThat(fault.messages().acknowledgedLost() + fault.messages().failed())
                .isZero();
        assertThat(fault.recoveredSeconds()).isZero();
    }

    // With a fresh consumer at the end

    @Test
    void whatAFreshConsumerFindsIsNotLost() {
        FaultOutcome.FaultReport all = run(
                60,
                WaitEnd.SETTLED,
                true,
                outage(10, 1, Mode.REFUSED, 3, 20),
                outage(30, 1, Mode.KEPT, 0, 0),
                outage(45, 2, Mode.KEPT, 17, 0));

        assertThat(all.faults())
                .extracting(fault -> fault.messages().acknowledgedLost())
                .containsExactly(3L, 0L, 17L);
        assertThat(all.faults())
                .extracting(fault -> fault.messages().foundAnew())
                .containsExactly(20L, null, 0L);
        assertThat(all.faults())
                .extracting(fault -> fault.messages().undelivered())
                .containsExactly(20L, 0L, 0L);
        assertThat(all.foundAnew()).isEqualTo(20);
        assertThat(all.allUndeliveredFound()).isTrue();
    }

    @Test
    void withoutAFreshConsumerWhatIsKeptCountsAsLost() {
        FaultOutcome.Messages messages =
                run(40, outage(10, 1, Mode.REFUSED, 3, 20)).faults().get(0).messages();

        assertThat(messages.acknowledgedLost()).isEqualTo(23);
        assertThat(messages.foundAnew()).as("nobody has looked").isNull();
        assertThat(messages.undelivered()).isZero();
    }

    @Test
    void whatIsUndeliveredAndNotFoundIsNotCalledLost() {
        FaultOutcome.FaultReport all = run(40, WaitEnd.CUT, true, outage(10, 1, Mode.REFUSED, 3, 20));
        FaultOutcome.Messages messages = all.faults().get(0).messages();

        assertThat(messages.acknowledgedLost()).isZero();
        assertThat(messages.undelivered()).isEqualTo(23);
        assertThat(messages.foundAnew()).isEqualTo(20);
        assertThat(all.allUndeliveredFound()).isFalse();
    }

    @Test
    void aPartitionThatWasReadInOrderPastWhatIsMissingHasLostIt() {
        // Consumers received neither the lost messages nor those sent after them.
        Outage loss = outage(10, 1, Mode.REFUSED, 3);
        Outage end = outage(15, 100, Mode.REFUSED, 0, 1070);

        FaultOutcome.Messages unread =
                run(16, WaitEnd.CUT_IN_ORDER, false, loss, end).faults().get(0).messages();
        assertThat(unread.acknowledgedLost()).isZero();

        FaultOutcome.FaultReport all = run(16, WaitEnd.CUT_IN_ORDER, true, loss, end);
        assertThat(all.faults())
                .extracting(fault -> fault.messages().acknowledgedLost())
                .containsExactly(3L, 0L);
        assertThat(all.foundAnew()).isEqualTo(1070);
        assertThat(all.allUndeliveredFound()).isTrue();
    }
}
