package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.MessageListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes key and payload as one value, for channels and lists, whose messages have no other fields: the length of the
 * key in two bytes, {@code 0xFFFF} for no key; the key; the payload.
 */
final class Frame {

    private static final int NO_KEY = 0xFFFF;

    private static final int LENGTH_BYTES = Short.BYTES;

    private Frame() {}

    /**
     * Copies key and payload into a new array.
     *
     * @throws IllegalArgumentException if the key has 65,535 bytes or more
     */
    static byte[] of(@Nullable String key, byte[] payload) {
        byte[] keyBytes = key == null ? new byte[0] : key.getBytes(StandardCharsets.UTF_8);
        if (keyBytes.length >= NO_KEY) {
            throw new IllegalArgumentException("a key must be shorter than 65,535 bytes, got " + keyBytes.length);
        }
        return ByteBuffer.allocate(LENGTH_BYTES + keyBytes.length + payload.length)
                .putShort((short) (key == null ? NO_KEY : keyBytes.length))
                .put(keyBytes)
                .put(payload)
                .array();
    }

    /**
     * Splits the value into key and payload and delivers them.
     *
     * @throws IllegalArgumentException if the value is not a frame
     */
    static void deliver(byte[] frame, int partition, MessageListener listener) {
        if (frame.length < LENGTH_BYTES) {
            throw new IllegalArgumentException("a value of " + frame.length + " bytes is not a message of this driver");
        }
        int keyBytes = Short.toUnsignedInt(ByteBuffer.wrap(frame).getShort());
        if (keyBytes == NO_KEY) {
            listener.received(null, Arrays.copyOfRange(frame, LENGTH_BYTES, frame.length), partition);
            return;
        }
        int payloadAt = LENGTH_BYTES + keyBytes;
        if (payloadAt > frame.length) {
            throw new IllegalArgumentException("a value with a key of " + keyBytes + " bytes, but only " + frame.length
                    + " bytes in total, is not a message of this driver");
        }
        String key = new String(frame, LENGTH_BYTES, keyBytes, StandardCharsets.UTF_8);
        listener.received(key, Arrays.copyOfRange(frame, payloadAt, frame.length), partition);
    }
}
