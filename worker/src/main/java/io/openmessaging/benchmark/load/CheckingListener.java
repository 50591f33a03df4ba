package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checks every byte that one consumer receives with {@link PayloadChecks}. A message with a damaged header cannot be
 * identified, so it counts as unknown. A message with damaged content counts both as arrived and as damaged. The
 * content is checked after the message was timed. Called by one thread at a time, as the driver promises.
 */
public final class CheckingListener implements MessageListener {

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
        } else if (PayloadChecks.isHeaderIntact(payload, crc)) {
            listener.received(key, payload, partition);
            if (!PayloadChecks.isContentIntact(payload, crc)) {
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
