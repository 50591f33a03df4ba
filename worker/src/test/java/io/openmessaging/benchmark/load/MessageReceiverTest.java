package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReceiverTest {

    private static final int RUN_TAG = 4711;
    private static final int FIRST_PRODUCER = 2;
    private static final int PRODUCERS = 3;
    private static final int PARTITIONS = 2;
    private static final int SUBSCRIPTION = 1;
    private static final long NOW_NS = 1_700_000_000_000_000_000L;

    private final AtomicLong clock = new AtomicLong(NOW_NS);
    private final Measurements measurements = new Measurements(clock::get, SUBSCRIPTION + 1);
    private final SubscriptionAudit subscription = new SubscriptionAudit("topic", SUBSCRIPTION);
    private final ConsumerAudit audit = new ConsumerAudit(subscription, FIRST_PRODUCER, PRODUCERS, PARTITIONS);
    private final List<Integer> probedPartitions = new ArrayList<>();

    private MessageReceiver receiver(MessageHeader.Layout layout) {
        return receiver(layout, null);
    }

    private MessageReceiver receiver(MessageHeader.Layout layout, @Nullable SenderClocks senderClocks) {
        return new MessageReceiver(
                SUBSCRIPTION,
                layout,
                RUN_TAG,
                audit,
                measurements,
                senderClocks,
                (partition, series) -> probedPartitions.add(partition));
    }

    private static byte[] full(int runTag, int producer, long sequence, long intendedNs, long sentNs) {
        byte[] payload = new byte[100];
        MessageHeader.writeFull(payload, runTag, producer, sequence, intendedNs, sentNs);
        return payload;
    }

    private static byte[] compact(int producer, long sequence, long sentNs) {
        byte[] payload = new byte[10];
        MessageHeader.writeCompact(payload, producer, sequence, sentNs);
        return payload;
    }

    /** Audits the received messages of producers that have sent {@code sentByEach} messages each. */
    private AuditReport.SubscriptionReport audited(int sentByEach) {
        audit.close();
        List<AuditPart.Dispatches> dispatches = new ArrayList<>();
        List<Integer> producers = IntStream.range(FIRST_PRODUCER, FIRST_PRODUCER + PRODUCERS)
                .boxed()
                .toList();
        for (int producer : producers) {
            ProducerAudit sent = new ProducerAudit(producer);
            for (int i = 0; i < sentByEach; i++) {
                sent.nextSequence();
            }
            dispatches.add(sent.dispatches());
        }
        AuditPart part = new AuditPart(dispatches, List.of(subscription.arrivals()));
        return AuditReport.of(List.of(part), Map.of("topic", producers), SUBSCRIPTION + 1, AuditReport.WaitEnd.SETTLED)
                .subscriptions()
                .get(SUBSCRIPTION);
    }

    @Test
    void aMessageIsTimedCountedForItsSubscriptionAndAudited() {
        receiver(MessageHeader.Layout.FULL)
                .received(null, full(RUN_TAG, FIRST_PRODUCER, 0, NOW_NS - 900, NOW_NS - 700), 0);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().received()).containsExactly(0L, 1L);
        assertThat(period.latency(Latency.END_TO_END).sumNs()).isEqualTo(700);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).sumNs()).isEqualTo(900);
        AuditReport.SubscriptionReport audited = audited(1);
        assertThat(audited.received()).isEqualTo(1);
        assertThat(audited.lost()).isEqualTo(PRODUCERS - 1);
    }

    @Test
    void aCompactMessageIsTimedFromTheActualSendOnly() {
        receiver(MessageHeader.Layout.COMPACT).received(null, compact(FIRST_PRODUCER + 2, 0, NOW_NS - 700), 1);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().received()).containsExactly(0L, 1L);
        assertThat(period.latency(Latency.END_TO_END).sumNs()).isEqualTo(700);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).count()).isZero();
        assertThat(audited(1).received()).isEqualTo(1);
    }

    @Test
    void aMessageWithANumberOnlyIsAuditedAndNotTimed() {
        byte[] payload = new byte[9];
        MessageHeader.writeNumbered(payload, FIRST_PRODUCER + 2, 1);
        MessageReceiver receiver = receiver(MessageHeader.Layout.NUMBERED);
        receiver.received(null, payload, 1);
        receiver.received(null, payload, 1);
        receiver.received(null, new byte[4], 1);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().received()).containsExactly(0L, 2L);
        assertThat(period.counts().unknown()).isEqualTo(1);
        assertThat(period.latency(Latency.END_TO_END).count()).isZero();
        AuditReport.SubscriptionReport audited = audited(2);
        assertThat(audited.duplicated()).isEqualTo(1);
        assertThat(audited.lost()).isEqualTo(2 * PRODUCERS - 1);
    }

    @Test
    void aMessageWithoutAHeaderIsOnlyCounted() {
        receiver(MessageHeader.Layout.NONE).received(null, new byte[] {1, 2, 3}, 0);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().received()).containsExactly(0L, 1L);
        assertThat(period.latency(Latency.END_TO_END).count()).isZero();
        assertThat(audited(0).received()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aProbeIsNoMessageInAnyLayout(MessageHeader.Layout layout) {
        receiver(layout).received(null, full(RUN_TAG, MessageHeader.PROBE, 0, NOW_NS, NOW_NS), 1);
        assertThat(probedPartitions).containsExactly(1);
        assertThat(measurements.totals().receivedByAll()).isZero();
        assertThat(measurements.totals().unknown()).isZero();
    }

    @Test
    void whatTheRunDidNotSendIsUnknown() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.FULL);
        receiver.received(null, full(RUN_TAG + 1, FIRST_PRODUCER, 0, NOW_NS, NOW_NS), 0);
        receiver.received(null, new byte[31], 0);
        receiver.received(null, new byte[0], 0);
        receiver.received(null, full(RUN_TAG, FIRST_PRODUCER - 1, 0, NOW_NS, NOW_NS), 0);
        receiver.received(null, full(RUN_TAG, FIRST_PRODUCER + PRODUCERS, 0, NOW_NS, NOW_NS), 0);
        receiver.received(null, full(RUN_TAG, Integer.MIN_VALUE, 0, NOW_NS, NOW_NS), 0);
        assertThat(measurements.totals().unknown()).isEqualTo(6);
        assertThat(measurements.totals().receivedByAll()).isZero();
        assertThat(probedPartitions).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 60})
    void aDamagedSequenceIsUnknown(long sequence) {
        receiver(MessageHeader.Layout.FULL).received(null, full(RUN_TAG, FIRST_PRODUCER, sequence, NOW_NS, NOW_NS), 0);
        assertThat(measurements.totals().unknown()).isEqualTo(1);
        assertThat(audited(0).unexpected()).isZero();
    }

    @Test
    void aCompactMessageThatTheRunDidNotSendIsUnknown() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.COMPACT);
        receiver.received(null, new byte[9], 0);
        receiver.received(null, compact(FIRST_PRODUCER - 1, 0, NOW_NS), 0);
        receiver.received(null, compact(FIRST_PRODUCER + PRODUCERS, 0, NOW_NS), 0);
        receiver.received(null, compact(65_535, 0, NOW_NS), 0);
        assertThat(measurements.totals().unknown()).isEqualTo(4);
        assertThat(measurements.totals().receivedByAll()).isZero();
    }

    @Test
    void aNegativeLatencyIsCounted() {
        receiver(MessageHeader.Layout.FULL).received(null, full(RUN_TAG, FIRST_PRODUCER, 0, NOW_NS, NOW_NS + 5), 0);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.latency(Latency.END_TO_END).negativeCount()).isEqualTo(1);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).negativeCount()).isZero();
    }

    private static final long HOUR_NS = 3_600_000_000_000L;

    /** Puts the last producer on the other worker, whose clock is {@code aheadNs} ahead of this one's. */
    private static SenderClocks otherAheadBy(long aheadNs, long boundNs) {
        SenderClocks clocks = new SenderClocks(0, 2, producer -> producer == FIRST_PRODUCER + PRODUCERS - 1 ? 1 : 0);
        clocks.tell(List.of(new Offset(-17, 5), new Offset(aheadNs - 17, boundNs - 5)));
        return clocks;
    }

    @ParameterizedTest
    @CsvSource({
        "FULL, 0",
        "FULL, 10000000000",
        "FULL, -3600000000000",
        "COMPACT, 10000000000",
        "COMPACT, -3600000000000"
    })
    void aMessageOfAnotherWorkerIsTimedByItsSendersClock(MessageHeader.Layout layout, long aheadNs) {
        int other = FIRST_PRODUCER + PRODUCERS - 1;
        long sentNs = NOW_NS + aheadNs - 700;
        byte[] payload = layout == MessageHeader.Layout.FULL
                ? full(RUN_TAG, other, 0, sentNs - 200, sentNs)
                : compact(other, 0, sentNs);
        receiver(layout, otherAheadBy(aheadNs, 100)).received(null, payload, 0);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.latency(Latency.END_TO_END).sumNs()).isEqualTo(700);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).sumNs())
                .isEqualTo(layout == MessageHeader.Layout.FULL ? 900 : 0);
        assertThat(period.counts().received()).containsExactly(0L, 1L);
        assertThat(audited(1).received()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FULL", "COMPACT"})
    void aMessageOfTheOwnWorkerIsNeverCorrected(MessageHeader.Layout layout) {
        byte[] payload = layout == MessageHeader.Layout.FULL
                ? full(RUN_TAG, FIRST_PRODUCER, 0, NOW_NS - 700, NOW_NS - 700)
                : compact(FIRST_PRODUCER, 0, NOW_NS - 700);
        receiver(layout, otherAheadBy(HOUR_NS, 100)).received(null, payload, 0);
        assertThat(measurements.sample().latency(Latency.END_TO_END).sumNs()).isEqualTo(700);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FULL", "COMPACT"})
    void aMessageBeforeItsSendIsNegativeAndBeyondTheBoundImpossible(MessageHeader.Layout layout) {
        int other = FIRST_PRODUCER + PRODUCERS - 1;
        MessageReceiver receiver = receiver(layout, otherAheadBy(HOUR_NS, 100));
        long sequence = 0;
        for (long latencyNs : new long[] {1, 0, -1, -100, -101}) {
            long sentNs = NOW_NS + HOUR_NS - latencyNs;
            receiver.received(
                    null,
                    layout == MessageHeader.Layout.FULL
                            ? full(RUN_TAG, other, sequence, sentNs - 1_000, sentNs)
                            : compact(other, sequence, sentNs),
                    0);
            sequence++;
        }
        PeriodSnapshot period = measurements.sample();
        assertThat(period.latency(Latency.END_TO_END).negativeCount()).isEqualTo(3);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).negativeCount()).isZero();
        assertThat(period.counts().impossible()).isEqualTo(1);
    }

    @Test
    void onOneClockEveryMessageBeforeItsSendIsImpossible() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.FULL, otherAheadBy(HOUR_NS, 100));
        receiver.received(null, full(RUN_TAG, FIRST_PRODUCER, 0, NOW_NS + 1, NOW_NS + 1), 0);
        receiver.received(null, full(RUN_TAG, FIRST_PRODUCER, 1, NOW_NS - 1, NOW_NS + 1), 0);
        receiver.received(null, full(RUN_TAG, FIRST_PRODUCER, 2, NOW_NS, NOW_NS), 0);
        assertThat(measurements.totals().impossible()).isEqualTo(2);
    }

    @Test
    void aClockThatNothingIsKnownOfProvesNothing() {
        SenderClocks unreported = new SenderClocks(0, 2, producer -> 1);
        receiver(MessageHeader.Layout.FULL, unreported)
                .received(null, full(RUN_TAG, FIRST_PRODUCER, 0, NOW_NS + HOUR_NS, NOW_NS + HOUR_NS), 0);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.latency(Latency.END_TO_END).negativeCount()).isEqualTo(1);
        assertThat(period.counts().impossible()).isZero();
    }

    @Test
    void compactSequencesAreFollowedInEachPartitionHoweverFarTheyDriftApart() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.COMPACT);
        long step = 1 << 20;
        receiver.received(null, compact(FIRST_PRODUCER, 0, NOW_NS), 0);
        receiver.received(null, compact(FIRST_PRODUCER, 1, NOW_NS), 1);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (long sequence = partition + step; sequence < 40 * step; sequence += step) {
                receiver.received(null, compact(FIRST_PRODUCER, sequence, NOW_NS), partition);
                assertThat(audit.newest(FIRST_PRODUCER, partition)).isEqualTo(sequence);
            }
        }
    }

    @LongSuite("takes forty million messages")
    @Test
    void nothingIsLostOfPartitionsThatAreReadOneAfterTheOther() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.COMPACT);
        int messages = 40_000_000;
        // Even numbers go to partition 0 and are all read before the odd ones of partition 1, except for its first.
        receiver.received(null, compact(FIRST_PRODUCER, 0, NOW_NS), 0);
        receiver.received(null, compact(FIRST_PRODUCER, 1, NOW_NS), 1);
        for (int sequence = 2; sequence < messages; sequence += 2) {
            receiver.received(null, compact(FIRST_PRODUCER, sequence, NOW_NS), 0);
        }
        for (int sequence = 3; sequence < messages; sequence += 2) {
            receiver.received(null, compact(FIRST_PRODUCER, sequence, NOW_NS), 1);
        }
        audit.close();
        ProducerAudit sent = new ProducerAudit(FIRST_PRODUCER);
        for (int i = 0; i < messages; i++) {
            sent.nextSequence();
        }
        AuditPart part = new AuditPart(List.of(sent.dispatches()), List.of(subscription.arrivals()));
        AuditReport.SubscriptionReport audited = AuditReport.of(
                        List.of(part),
                        Map.of("topic", List.of(FIRST_PRODUCER)),
                        SUBSCRIPTION + 1,
                        AuditReport.WaitEnd.SETTLED)
                .subscriptions()
                .get(SUBSCRIPTION);
        assertThat(audited.received()).isEqualTo(messages);
        assertThat(audited.lost()).isZero();
        assertThat(audited.duplicated()).isZero();
        assertThat(audited.outOfOrder()).isZero();
    }

    @Test
    void aPartitionThatComesLateIsCompletedFromTheOthers() {
        MessageReceiver receiver = receiver(MessageHeader.Layout.COMPACT);
        long far = (1L << 26) + 5;
        for (long sequence = 0; sequence < far; sequence += 1 << 20) {
            receiver.received(null, compact(FIRST_PRODUCER, sequence, NOW_NS), 0);
        }
        receiver.received(null, compact(FIRST_PRODUCER, far, NOW_NS), 1);
        assertThat(audit.newest(FIRST_PRODUCER, 1)).isEqualTo(far);
    }
}
