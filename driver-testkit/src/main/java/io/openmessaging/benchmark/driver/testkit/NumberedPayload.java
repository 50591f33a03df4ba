package io.openmessaging.benchmark.driver.testkit;

import java.nio.ByteBuffer;

/** Payloads that contain the number of their message and reveal whether a byte was changed in transit. */
public final class NumberedPayload {

    /** The smallest size with room for a number. */
    public static final int MIN_BYTES = Integer.BYTES;

    private NumberedPayload() {}

    /**
     * Returns a new array with the number in its first four bytes and, after them, bytes derived from the number.
     *
     * @param bytes the size, at least {@link #MIN_BYTES}
     */
    public static byte[] of(int number, int bytes) {
        byte[] payload = new byte[bytes];
        write(number, payload);
        return payload;
    }

    /** Writes the same content into an existing array. */
    public static void write(int number, byte[] payload) {
        ByteBuffer.wrap(payload).putInt(number);
        for (int i = MIN_BYTES; i < payload.length; i++) {
            payload[i] = byteAt(i, number);
        }
    }

    /**
     * Returns the number of a payload.
     *
     * @throws AssertionError if the payload differs from what {@link #of} creates
     */
    public static int numberOf(byte[] payload) {
        if (payload.length < MIN_BYTES) {
            throw new AssertionError(
                    "A payload of " + payload.length + " bytes has arrived; no payload that short was sent.");
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
