package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checks every byte of what one consumer gets by {@link PayloadChecks}. A message whose header is damaged could be any:
 * it counts as unknown. One whose content is damaged has arrived and counts as damaged as well. Its content is checked
 * after it was timed. Called by one thread at a time, as the driver promises.
 */
public final class CheckingListener implements MessageListener {

    private final MessageListener listener;
    private final int runTag;
    private final ConsumerAudit audit;
    private final Measurements measurements;
    private final CRC32C crc = new CRC32C();

    /**
     * A listener that has got nothing yet.
     *
     * @param listener is given the messages whose header is intact, and what this run did not send
     * @param runTag by which the run knows its own messages
     * @param audit of this consumer
     * @param measurements of this worker
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
