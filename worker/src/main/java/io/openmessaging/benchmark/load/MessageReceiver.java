package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of one consumer: reads the header, times the message, notes it for the audit. Called by one thread
 * at a time, as the driver promises.
 */
public final class MessageReceiver implements MessageListener {

    private final int subscription;
    private final MessageHeader.Layout layout;
    private final int runTag;
    private final ConsumerAudit audit;
    private final Measurements measurements;
    private final LongSupplier clock;
    private final @Nullable SenderClocks senderClocks;
    private final ProbeListener onProbe;

    /** Told of messages that only test whether a way is open. */
    public interface ProbeListener {

        /** Called on the receiving thread. */
        void arrived(int partition, long series);
    }

    /**
     * A receiver that has got nothing yet.
     *
     * @param subscription the index of the consumer's subscription
     * @param layout of the run's headers
     * @param runTag by which the run knows its own messages
     * @param audit of this consumer
     * @param measurements of this worker, by whose clock messages are timed
     * @param senderClocks how far the clocks of other workers are from that; null if there are no others
     * @param onProbe told of each probe
     */
    public MessageReceiver(
            int subscription,
            MessageHeader.Layout layout,
            int runTag,
            ConsumerAudit audit,
            Measurements measurements,
            @Nullable SenderClocks senderClocks,
            ProbeListener onProbe) {
        this.subscription = subscription;
        this.layout = layout;
        this.runTag = runTag;
        this.audit = audit;
        this.measurements = measurements;
        this.clock = measurements.clock();
        this.senderClocks = senderClocks;
        this.onProbe = onProbe;
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition) {
        long nowNs = clock.getAsLong();
        if (MessageHeader.isOfRun(payload, runTag)) {
            receivedFull(payload, partition, nowNs);
        } else {
            switch (layout) {
                case FULL -> measurements.receivedUnknown();
                case COMPACT -> receivedCompact(payload, partition, nowNs);
                case NUMBERED -> receivedNumbered(payload, partition, nowNs);
                case NONE -> receivedUntimed(nowNs);
            }
        }
    }

    private void receivedFull(byte[] payload, int partition, long nowNs) {
        int producer = MessageHeader.producer(payload);
        long sequence = MessageHeader.sequence(payload);
        if (audit.accepts(producer, sequence)) {
            audit.note(producer, sequence, partition);
            Offset sender = senderClocks == null ? null : senderClocks.of(producer);
            if (sender == null) {
                measurements.received(
                        subscription, nowNs, MessageHeader.intendedNs(payload), MessageHeader.sentNs(payload));
            } else {
                receivedFromOther(payload, nowNs, sender);
            }
        } else if (producer == MessageHeader.PROBE) {
            onProbe.arrived(partition, MessageHeader.sequence(payload));
        } else {
            measurements.receivedUnknown();
        }
    }

    private void receivedUntimed(long nowNs) {
        measurements.received(subscription, nowNs, Measurements.NOT_STAMPED, Measurements.NOT_STAMPED);
    }

    private void receivedNumbered(byte[] payload, int partition, long nowNs) {
        if (noted(payload, partition)) {
            receivedUntimed(nowNs);
        }
    }

    /** For the audit, by a header without all bits of its number. Whether it can be a message of the topic. */
    private boolean noted(byte[] payload, int partition) {
        int producer = payload.length < layout.bytes() ? -1 : MessageHeader.compactProducer(payload);
        if (!audit.knows(producer)) {
            measurements.receivedUnknown();
            return false;
        }
        audit.note(producer, MessageHeader.compactSequence(payload, audit.newest(producer, partition)), partition);
        return true;
    }

    private void receivedCompact(byte[] payload, int partition, long nowNs) {
        if (!noted(payload, partition)) {
            return;
        }
        int producer = MessageHeader.compactProducer(payload);
        Offset sender = senderClocks == null ? null : senderClocks.of(producer);
        if (sender == null) {
            measurements.received(
                    subscription, nowNs, Measurements.NOT_STAMPED, MessageHeader.compactSentNs(payload, nowNs));
        } else {
            receivedCompactFromOther(payload, nowNs, sender);
        }
    }

    private void receivedFromOther(byte[] payload, long nowNs, Offset sender) {
        long aheadNs = sender.aheadNs();
        measurements.receivedFromOther(
                subscription,
                nowNs,
                MessageHeader.intendedNs(payload) - aheadNs,
                MessageHeader.sentNs(payload) - aheadNs,
                sender.boundNs());
    }

    private void receivedCompactFromOther(byte[] payload, long nowNs, Offset sender) {
        // Completed from the time of the same clock: clocks may be further apart than what completes it reaches.
        long sentNs = MessageHeader.compactSentNs(payload, nowNs + sender.aheadNs());
        measurements.receivedFromOther(
                subscription, nowNs, Measurements.NOT_STAMPED, sentNs - sender.aheadNs(), sender.boundNs());
    }
}
