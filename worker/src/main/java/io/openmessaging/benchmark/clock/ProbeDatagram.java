package io.openmessaging.benchmark.clock;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A question to a worker or its answer, both of 96 bytes, so that a worker never sends more than it received:
 *
 * <pre>
 * byte 0  kind: "OMBclk", version, 1 for a question or 2 for an answer
 *      8  session, a random number of the coordinator's
 *     16  number of the question in its session, from 1
 *     24  T2: when the question was received, by the worker's clock; 0 in a question
 *     32  T3: when it was answered
 *     40  zeros
 *     64  seal
 * </pre>
 *
 * The coordinator keeps T1 itself: so it reads its clock after everything else is done, and need not trust an answer
 * for it. Not thread-safe.
 */
final class ProbeDatagram {

    static final int BYTES = 96;
    static final int SEAL_BYTES = 32;
    static final int SEAL = BYTES - SEAL_BYTES;

    private static final long QUESTION = 0x4f4d_4263_6c6b_0101L;
    private static final long ANSWER = 0x4f4d_4263_6c6b_0102L;
    private static final int KIND = 0;
    private static final int SESSION = 8;
    private static final int NUMBER = 16;
    private static final int RECEIVED = 24;
    private static final int ANSWERED = 32;

    /** One byte more than a datagram needs, so that a longer one is recognised. */
    private final byte[] bytes = new byte[BYTES + 1];

    private final ByteBuffer fields = ByteBuffer.wrap(bytes);

    byte[] bytes() {
        return bytes;
    }

    /** Returns the whole datagram for sending. */
    ByteBuffer toSend() {
        return fields.clear().limit(BYTES);
    }

    /** Returns the buffer for receiving a datagram. */
    ByteBuffer toReceive() {
        return fields.clear();
    }

    void ask(long session, long number, ProbeSeal seal) {
        Arrays.fill(bytes, (byte) 0);
        fields.putLong(KIND, QUESTION);
        fields.putLong(SESSION, session);
        fields.putLong(NUMBER, number);
        seal.seal(bytes);
    }

    /** Turns the question in this datagram into its answer. */
    void answer(long receivedNs, long answeredNs, ProbeSeal seal) {
        fields.putLong(KIND, ANSWER);
        fields.putLong(RECEIVED, receivedNs);
        fields.putLong(ANSWERED, answeredNs);
        seal.seal(bytes);
    }

    /**
     * Returns whether a received datagram is a question of a sender that has the key.
     *
     * @param length number of bytes received
     */
    boolean isQuestion(int length, ProbeSeal seal) {
        return length == BYTES && fields.getLong(KIND) == QUESTION && seal.isIntact(bytes);
    }

    /** Returns whether it looks like an answer; if so, its session determines the seal that it must have. */
    boolean looksLikeAnswer(int length) {
        return length == BYTES && fields.getLong(KIND) == ANSWER;
    }

    long session() {
        return fields.getLong(SESSION);
    }

    long number() {
        return fields.getLong(NUMBER);
    }

    long receivedNs() {
        return fields.getLong(RECEIVED);
    }

    long answeredNs() {
        return fields.getLong(ANSWERED);
    }
}
