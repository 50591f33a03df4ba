package io.openmessaging.benchmark.driver.testkit;

import java.nio.ByteBuffer;

/** Payloads that say which message they belong to and tell whether a byte was changed on the way. */
public final class NumberedPayload {

    /** The smallest size that has room for a number. */
    public static final int MIN_BYTES = Integer.BYTES;

    private NumberedPayload() {}

    /**
     * A fresh array with the number in its first four bytes and, in the rest, bytes that follow from the number.
     *
     * @param bytes the size, at least {@link #MIN_BYTES}
     */
    public static byte[] of(int number, int bytes) {
        byte[] payload = new byte[bytes];
        write(number, payload);
        return payload;
    }

    /** The same into an array that is there already. */
    public static void write(int number, byte[] payload) {
        ByteBuffer.wrap(payload).putInt(number);
        for (int i = MIN_BYTES; i < payload.length; i++) {
            payload[i] = byteAt(i, number);
        }
    }

    /**
     * The number of a payload.
     *
     * @throws AssertionError if the payload is not as {@link #of} made it
     */
    public static int numberOf(byte[] payload) {
        if (payload.length < MIN_BYTES) {
            throw new AssertionError("A payload of " + payload.length + " bytes has arrived, none so short was sent.");
        }
        int number = ByteBuffer.wrap(payload).getInt();
        for (int i = MIN_BYTES; i < payload.length; i++) {
            if (payload[i] != byteAt(i, number)) {
                throw new AssertionError("The payload of message " + number + " has arrived changed: byte " + i + " of "
                        + payload.length + " is " + payload[i] + " instead of " + byteAt(i, number)
                        + ". Does the client read the array after send has returned?");
            }
        }
        return number;
    }

    private static byte byteAt(int index, int number) {
        return (byte) (index + 31 * number);
    }
}
