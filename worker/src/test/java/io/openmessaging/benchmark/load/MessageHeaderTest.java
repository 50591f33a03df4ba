package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageHeaderTest {

    private static final long NOW_NS = 1_700_000_000_123_456_789L;
    private static final long SEQUENCE_CYCLE = 1L << 24;
    private static final long TIME_CYCLE_NS = 1L << 40;

    private static byte[] compact(int producer, long sequence, long sentNs) {
        byte[] payload = new byte[MessageHeader.Layout.COMPACT.bytes()];
        MessageHeader.writeCompact(payload, producer, sequence, sentNs);
        return payload;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, NONE",
        "4, 1, NONE",
        "5, 1, NUMBERED",
        "9, 1, NUMBERED",
        "9, 65536, NUMBERED",
        "9, 65537, NONE",
        "10, 1, COMPACT",
        "31, 1, COMPACT",
        "31, 65536, COMPACT",
        "31, 65537, NONE",
        "32, 1, FULL",
        "32, 65537, FULL",
        "1048576, 100000, FULL"
    })
    void theLayoutFollowsFromTheMessageSizeAndTheProducers(int sizeBytes, int producers, MessageHeader.Layout layout) {
        assertThat(MessageHeader.Layout.of(sizeBytes, producers)).isEqualTo(layout);
        assertThat(layout.bytes()).isLessThanOrEqualTo(sizeBytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0",
        "1, 2, 3, 4, 5",
        "-1, -1, -1, -1, -1",
        "2147483647, 2147483647, 9223372036854775807, 9223372036854775807, 9223372036854775807",
        "-2147483648, -2147483648, -9223372036854775808, -9223372036854775808, -9223372036854775808"
    })
    void aFullHeaderIsReadAsItWasWritten(int runTag, int producer, long sequence, long intendedNs, long sentNs) {
        byte[] payload = new byte[MessageHeader.Layout.FULL.bytes()];
        MessageHeader.writeFull(payload, runTag, producer, sequence, intendedNs, sentNs);
        assertThat(MessageHeader.isOfRun(payload, runTag)).isTrue();
        assertThat(MessageHeader.producer(payload)).isEqualTo(producer);
        assertThat(MessageHeader.sequence(payload)).isEqualTo(sequence);
        assertThat(MessageHeader.intendedNs(payload)).isEqualTo(intendedNs);
        assertThat(MessageHeader.sentNs(payload)).isEqualTo(sentNs);
    }

    @Test
    void aFullHeaderIsBigEndianAndLeavesTheRestAlone() {
        byte[] payload = new byte[40];
        Arrays.fill(payload, (byte) 'x');
        MessageHeader.writeFull(
                payload, 0x01020304, 0x05060708, 0x090A0B0C0D0E0F10L, 0x1112131415161718L, 0x191A1B1C1D1E1F20L);
        for (int i = 0; i < 32; i++) {
            assertThat(payload[i]).as("byte %d", i).isEqualTo((byte) (i + 1));
        }
        assertThat(Arrays.copyOfRange(payload, 32, 40)).containsOnly('x');
    }

    @Test
    void aFullHeaderIsOfTheRunWithItsTag() {
        byte[] payload = new byte[32];
        MessageHeader.writeFull(payload, 42, 1, 1, 1, 1);
        assertThat(MessageHeader.isOfRun(payload, 42)).isTrue();
        assertThat(MessageHeader.isOfRun(payload, 43)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 10, 31})
    void aShorterPayloadIsOfNoRun(int sizeBytes) {
        assertThat(MessageHeader.isOfRun(new byte[sizeBytes], 0)).isFalse();
    }

    @Test
    void aProbeIsAFullHeader() {
        byte[] payload = new byte[32];
        MessageHeader.writeFull(payload, 7, MessageHeader.PROBE, 0, NOW_NS, NOW_NS);
        assertThat(MessageHeader.producer(payload)).isEqualTo(MessageHeader.PROBE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 32_767, 32_768, 65_535})
    void aCompactHeaderHasTheProducer(int producer) {
        byte[] payload = compact(producer, -1, -1);
        assertThat(MessageHeader.compactProducer(payload)).isEqualTo(producer).isNotEqualTo(MessageHeader.PROBE);
        assertThat(compact(producer, 0, 0)[9]).isZero();
        assertThat(MessageHeader.compactProducer(compact(producer, 0, 0))).isEqualTo(producer);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "258, 66051", "65535, 16777215"})
    void aHeaderOfANumberOnlyLeavesTheRestAlone(int producer, long sequence) {
        byte[] payload = {'x', 'x', 'x', 'x', 'x', 'x', 'x'};
        MessageHeader.writeNumbered(payload, producer, sequence + 7 * SEQUENCE_CYCLE);
        assertThat(MessageHeader.compactProducer(payload)).isEqualTo(producer);
        assertThat(MessageHeader.compactSequence(payload, 7 * SEQUENCE_CYCLE + sequence / 2 + 1))
                .isEqualTo(sequence + 7 * SEQUENCE_CYCLE);
        assertThat(Arrays.copyOfRange(payload, 5, 7)).containsOnly('x');
    }

    @Test
    void aCompactHeaderLeavesTheRestAlone() {
        byte[] payload = new byte[12];
        Arrays.fill(payload, (byte) 'x');
        MessageHeader.writeCompact(payload, 65_535, SEQUENCE_CYCLE - 1, TIME_CYCLE_NS - 1);
        assertThat(Arrays.copyOf(payload, 10)).containsOnly(-1);
        assertThat(Arrays.copyOfRange(payload, 10, 12)).containsOnly('x');
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                (1L << 23) - 1,
                1L << 23,
                SEQUENCE_CYCLE - 1,
                SEQUENCE_CYCLE,
                SEQUENCE_CYCLE + 1,
                5 * SEQUENCE_CYCLE - 1,
                5 * SEQUENCE_CYCLE,
                (1L << 40) + 12_345
            })
    void aCompactSequenceIsCompletedFromAnyNearerThanHalfACycle(long sequence) {
        byte[] payload = compact(1, sequence, NOW_NS);
        long half = SEQUENCE_CYCLE / 2;
        for (long distance : new long[] {-half, -half + 1, -1_000, -1, 0, 1, 1_000, half - 1}) {
            // The message is this far beyond the sequence number seen before.
            long near = sequence - distance;
            if (near >= 0) {
                assertThat(MessageHeader.compactSequence(payload, near))
                        .as("from %d", near)
                        .isEqualTo(sequence);
            }
        }
        assertThat(MessageHeader.compactSequence(payload, sequence + half + 1))
                .as("from further away than can be told")
                .isEqualTo(sequence + SEQUENCE_CYCLE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, (1L << 23) - 2, (1L << 23) - 1, 1L << 23, 9_000_000, SEQUENCE_CYCLE - 1})
    void theFirstCompactSequenceIsNeverNegative(long sequence) {
        assertThat(MessageHeader.compactSequence(compact(1, sequence, NOW_NS), -1))
                .isEqualTo(sequence);
    }

    @Test
    void aRunOfCompactSequencesIsFollowedAcrossTheCycles() {
        Random random = new Random(5);
        long near = -1;
        for (long sequence = 0; sequence < 10 * SEQUENCE_CYCLE; sequence += 1 + random.nextInt(100_000)) {
            near = MessageHeader.compactSequence(compact(1, sequence, NOW_NS), near);
            assertThat(near).isEqualTo(sequence);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1_000_000_000L, -1, 0, 1, 1_000_000, 548_000_000_000L, (1L << 39) - 1})
    void aCompactTimeIsCompletedFromTheTimeOfArrival(long latencyNs) {
        for (long sentNs :
                new long[] {NOW_NS, NOW_NS / TIME_CYCLE_NS * TIME_CYCLE_NS, NOW_NS / TIME_CYCLE_NS * TIME_CYCLE_NS - 1
                }) {
            byte[] payload = compact(1, -1, sentNs);
            assertThat(MessageHeader.compactSentNs(payload, sentNs + latencyNs)).isEqualTo(sentNs);
        }
    }

    @Test
    void aCompactTimeOlderThanHalfACycleCannotBeTold() {
        long tooLateNs = TIME_CYCLE_NS / 2 + 1;
        assertThat(MessageHeader.compactSentNs(compact(1, 0, NOW_NS), NOW_NS + tooLateNs))
                .isEqualTo(NOW_NS + TIME_CYCLE_NS);
    }

    @Test
    void sequenceAndTimeDoNotTouchEachOther() {
        byte[] payload = compact(0, SEQUENCE_CYCLE - 1, 0);
        assertThat(MessageHeader.compactSentNs(payload, 0)).isZero();
        payload = compact(0, 0, TIME_CYCLE_NS - 1);
        assertThat(MessageHeader.compactSequence(payload, 0)).isZero();
        assertThat(MessageHeader.compactSentNs(payload, TIME_CYCLE_NS)).isEqualTo(TIME_CYCLE_NS - 1);
    }
}
