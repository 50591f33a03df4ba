package io.openmessaging.benchmark.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The header, the first bytes of every payload: the message's run and producer, its sequence number, its intended send
 * time and its actual send time.
 *
 * <p>There are three layouts, chosen once per run by the message size (see ADR 1). All numbers are big-endian.
 *
 * <pre>
 * FULL     0 run tag (4)   4 producer (4)   8 sequence (8)   16 intended (8)   24 sent (8)         32 bytes
 * COMPACT  0 producer (2)  2 sequence, low 24 bits (3)       5 sent, low 40 bits (5)               10 bytes
 * NUMBERED 0 producer (2)  2 sequence, low 24 bits (3)                                              5 bytes
 * </pre>
 *
 * <p>The receiver completes a compact sequence from the newest sequence of that producer in that partition, and a
 * compact time from the current time of the sender's clock. The result is exact while a message is less than 2²³ away
 * from that sequence (the first message: below 2²⁴) and less than 549 s on its way.
 *
 * <p>Static methods on arrays; thread-safe as far as the arrays are.
 */
public final class MessageHeader {

    /** Layouts of message headers; all headers of a run have the same one. */
    public enum Layout {
        /** All fields, 32 bytes. */
        FULL(32),
        /** For messages below 32 bytes: no run tag, no intended send time. */
        COMPACT(10),
        /** For messages below 10 bytes: no times at all, so they are audited, but not timed end to end. */
        NUMBERED(5),
        /** For messages too small for any header: they are counted, but neither timed end to end nor audited. */
        NONE(0);

        private final int bytes;

        Layout(int bytes) {
            this.bytes = bytes;
        }

        /** Returns the size of the header in bytes. */
        public int bytes() {
            return bytes;
        }

        /** Returns the layout for a message size and a number of producers. */
        public static Layout of(int messageSizeBytes, int producerCount) {
            if (messageSizeBytes >= FULL.bytes) {
                return FULL;
            }
            if (messageSizeBytes < NUMBERED.bytes || producerCount > MAX_COMPACT_PRODUCERS) {
                return NONE;
            }
            return messageSizeBytes >= COMPACT.bytes ? COMPACT : NUMBERED;
        }
    }

    /**
     * The producer number of probes: messages that only test whether a route works. They always have the full layout.
     */
    public static final int PROBE = -1;

    /** Number of producers that a compact header, or a smaller one, can distinguish. */
    static final int MAX_COMPACT_PRODUCERS = 1 << 16;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int PRODUCER_AT = 4;
    private static final int SEQUENCE_AT = 8;
    private static final int INTENDED_AT = 16;
    private static final int SENT_AT = 24;

    private static final int COMPACT_SENT_BITS = 40;
    private static final int COMPACT_SEQUENCE_BITS = 24;
    private static final int COMPACT_WORD_AT = 2;

    private MessageHeader() {}

    public static void writeFull(
            byte[] payload, int runTag, int producer, long sequence, long intendedNs, long sentNs) {
        INT.set(payload, 0, runTag);
        INT.set(payload, PRODUCER_AT, producer);
        LONG.set(payload, SEQUENCE_AT, sequence);
        LONG.set(payload, INTENDED_AT, intendedNs);
        LONG.set(payload, SENT_AT, sentNs);
    }

    /**
     * Returns a probe. Where other messages have times, it has a mark, by which it is recognized even if a driver
     * overwrites its first bytes.
     *
     * @param spareBytes number of bytes behind the header
     */
    public static byte[] probe(int runTag, long series, int spareBytes) {
        byte[] payload = new byte[Layout.FULL.bytes + spareBytes];
        writeFull(payload, runTag, PROBE, series, probeMark(runTag), probeMark(runTag));
        return payload;
    }

    private static long probeMark(int runTag) {
        return (long) ~runTag << Integer.SIZE | runTag & 0xFFFFFFFFL;
    }

    /** Returns whether the payload is a probe of the run, or what remains of one whose first bytes were overwritten. */
    public static boolean endsLikeProbe(byte[] payload, int runTag) {
        return payload.length == Layout.FULL.bytes && sentNs(payload) == probeMark(runTag);
    }

    /** Returns whether the payload starts with a full header of the run. */
    public static boolean isOfRun(byte[] payload, int runTag) {
        return payload.length >= Layout.FULL.bytes && (int) INT.get(payload, 0) == runTag;
    }

    /** Returns whether the message is a probe of the run: a message that only tests whether a route works. */
    public static boolean isProbe(byte[] payload, int runTag) {
        return isOfRun(payload, runTag) && producer(payload) == PROBE;
    }

    /** Returns the producer number in a full header. */
    public static int producer(byte[] payload) {
        return (int) INT.get(payload, PRODUCER_AT);
    }

    /** Returns the sequence number in a full header. */
    public static long sequence(byte[] payload) {
        return (long) LONG.get(payload, SEQUENCE_AT);
    }

    /** Returns the intended send time in a full header, epoch nanoseconds. */
    public static long intendedNs(byte[] payload) {
        return (long) LONG.get(payload, INTENDED_AT);
    }

    /** Returns the send time in a full header, epoch nanoseconds. */
    public static long sentNs(byte[] payload) {
        return (long) LONG.get(payload, SENT_AT);
    }

    /** Writes a header without times. */
    public static void writeNumbered(byte[] payload, int producer, long sequence) {
        writeProducer(payload, producer);
        payload[COMPACT_WORD_AT] = (byte) (sequence >>> 16);
        payload[COMPACT_WORD_AT + 1] = (byte) (sequence >>> 8);
        payload[COMPACT_WORD_AT + 2] = (byte) sequence;
    }

    private static void writeProducer(byte[] payload, int producer) {
        payload[0] = (byte) (producer >>> 8);
        payload[1] = (byte) producer;
    }

    public static void writeCompact(byte[] payload, int producer, long sequence, long sentNs) {
        writeProducer(payload, producer);
        // The low 24 bits of the sequence and the low 40 bits of the time form one 64-bit word.
        long word = sequence << COMPACT_SENT_BITS | sentNs & mask(COMPACT_SENT_BITS);
        LONG.set(payload, COMPACT_WORD_AT, word);
    }

    /** Returns the producer number in a compact header or a header without times. */
    public static int compactProducer(byte[] payload) {
        return (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
    }

    /**
     * Returns the full sequence number of a compact header or a header without times; never negative.
     *
     * @param near a sequence number less than 2²³ away from it, or -1 if it is known only to be below 2²⁴
     */
    public static long compactSequence(byte[] payload, long near) {
        int low = (payload[COMPACT_WORD_AT] & 0xFF) << 16
                | (payload[COMPACT_WORD_AT + 1] & 0xFF) << 8
                | payload[COMPACT_WORD_AT + 2] & 0xFF;
        long nearest = near + signedDistance(low - near, COMPACT_SEQUENCE_BITS);
        return nearest < 0 ? low : nearest;
    }

    /**
     * Returns the full send time of a compact header, epoch nanoseconds.
     *
     * @param nowNs the time of the sender's clock, less than 549 s away from it
     */
    public static long compactSentNs(byte[] payload, long nowNs) {
        long low = (long) LONG.get(payload, COMPACT_WORD_AT) & mask(COMPACT_SENT_BITS);
        return nowNs + signedDistance(low - nowNs, COMPACT_SENT_BITS);
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    /** Returns the difference nearest to zero that has the given low bits. */
    private static long signedDistance(long difference, int bits) {
        return difference << (Long.SIZE - bits) >> (Long.SIZE - bits);
    }
}
