package io.openmessaging.benchmark.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Two checksums (CRC32C, for which processors have an instruction) that follow a full header and together cover every
 * byte of a payload. The content checksum is equal for all messages with that content and is computed before the load
 * starts; the header checksum also covers the content checksum and is computed for each message.
 *
 * <pre>
 * 0 header (32)   32 checksum of 40 to the end (4)   36 checksum of 0 to 35 (4)   40 content
 * </pre>
 *
 * <p>Static methods on arrays; thread-safe as far as the arrays are. The caller supplies a {@link CRC32C} of its own.
 */
public final class PayloadChecks {

    private static final int OF_CONTENT_AT = MessageHeader.Layout.FULL.bytes();
    private static final int OF_HEADER_AT = OF_CONTENT_AT + Integer.BYTES;

    /** Offset of the content, and size of the smallest payload that can be checked. */
    public static final int END = OF_HEADER_AT + Integer.BYTES;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private PayloadChecks() {}

    /**
     * Writes the content checksum into each message content.
     *
     * @param contents contents of at least {@link #END} bytes each; an array may be in the list several times
     */
    public static void addTo(List<byte[]> contents) {
        CRC32C crc = new CRC32C();
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        arrays.addAll(contents);
        arrays.forEach(content -> INT.set(content, OF_CONTENT_AT, sum(crc, content, END, content.length)));
    }

    /** Writes the checksum of a complete header. */
    static void seal(byte[] payload, CRC32C crc) {
        INT.set(payload, OF_HEADER_AT, sum(crc, payload, 0, OF_HEADER_AT));
    }

    /** Returns whether the header is the one that was sent. */
    static boolean isHeaderIntact(byte[] payload, CRC32C crc) {
        return payload.length >= END && (int) INT.get(payload, OF_HEADER_AT) == sum(crc, payload, 0, OF_HEADER_AT);
    }

    /** Returns whether the content is the one that was sent; valid only if the header is intact. */
    static boolean isContentIntact(byte[] payload, CRC32C crc) {
        return (int) INT.get(payload, OF_CONTENT_AT) == sum(crc, payload, END, payload.length);
    }

    private static int sum(CRC32C crc, byte[] bytes, int from, int to) {
        crc.reset();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }
}
