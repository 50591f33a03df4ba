package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.measure.Measurements;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Two checksums (CRC32C, for which processors have an instruction) that follow a full header and together cover every
 * byte of a payload. The content checksum is equal for all messages with that content and is computed before the load
 * starts; the header checksum also covers the content checksum and is computed for each message.
 *
 * <pre>
 * 0 header (32)   32 checksum of 40 to the end (4)   36 checksum of 0 to 35 (4)   40 content
 * </pre>
 *
 * <p>The static methods are thread-safe as far as the arrays are.
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
    private static void seal(byte[] payload, CRC32C crc) {
        INT.set(payload, OF_HEADER_AT, sum(crc, payload, 0, OF_HEADER_AT));
    }

    /** Returns whether the header is the one that was sent. */
    private static boolean isHeaderIntact(byte[] payload, CRC32C crc) {
        return payload.length >= END && (int) INT.get(payload, OF_HEADER_AT) == sum(crc, payload, 0, OF_HEADER_AT);
    }

    /** Returns whether the content is the one that was sent; valid only if the header is intact. */
    private static boolean isContentIntact(byte[] payload, CRC32C crc) {
        return (int) INT.get(payload, OF_CONTENT_AT) == sum(crc, payload, END, payload.length);
    }

    private static int sum(CRC32C crc, byte[] bytes, int from, int to) {
        crc.reset();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    /**
     * Checks every byte that one consumer receives. A message with a damaged header cannot be identified, so it counts
     * as unknown. A message with damaged content counts both as arrived and as damaged. The content is checked after
     * the message was timed. Called by one thread at a time, as the driver promises.
     */
    public static final class CheckingListener implements MessageListener {

        private final MessageListener listener;
        private final int runTag;
        private final ConsumerAudit audit;
        private final Measurements measurements;
        private final CRC32C crc = new CRC32C();

        /**
         * Creates the listener.
         *
         * @param listener receives messages with an intact header, and messages that this run did not send
         * @param runTag the tag that identifies messages of this run
         * @param audit the audit of this consumer
         * @param measurements the measurements of this worker
         */
        public CheckingListener(MessageListener listener, int runTag, ConsumerAudit audit, Measurements measurements) {
            this.listener = listener;
            this.runTag = runTag;
            this.audit = audit;
            this.measurements = measurements;
        }

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            if (!MessageHeader.isOfRun(payload, runTag) || isProbe(payload)) {
                listener.received(key, payload, partition);
            } else if (isHeaderIntact(payload, crc)) {
                listener.received(key, payload, partition);
                if (!isContentIntact(payload, crc)) {
                    audit.noteDamaged();
                }
            } else {
                measurements.receivedUnknown();
            }
        }

        private static boolean isProbe(byte[] payload) {
            return payload.length == MessageHeader.Layout.FULL.bytes()
                    && MessageHeader.producer(payload) == MessageHeader.PROBE;
        }
    }

    /** A driver's producer whose messages get the checksum of their header. */
    public static final class SealingProducer implements BenchmarkProducer {

        private final BenchmarkProducer producer;
        private final CRC32C crc = new CRC32C();

        /** Wraps a producer of messages with a full header. */
        public SealingProducer(BenchmarkProducer producer) {
            this.producer = producer;
        }

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
            // A probe consists of a header only.
            if (payload.length >= END) {
                seal(payload, crc);
            }
            producer.send(key, payload, callback);
        }

        @Override
        public void close() throws DriverException {
            producer.close();
        }
    }
}
