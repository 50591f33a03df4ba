package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of one consumer: reads the header, times the message, and notes it for the audit. Called by
 * one thread at a time, as the driver promises.
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

    /** Receives probes: messages that only test whether a route works. */
    public interface ProbeListener {

        /** Called on the receiving thread. */
        void arrived(int partition, long series);

        /** Receives a probe that was changed on its way. Called on the receiving thread. */
        default void changed(byte[] payload) {}
    }

    /**
     * Creates the receiver.
     *
     * @param subscription the index of the consumer's subscription
     * @param layout the layout of the run's headers
     * @param runTag the tag that identifies messages of this run
     * @param audit the audit of this consumer
     * @param measurements the measurements of this worker, whose clock times messages
     * @param senderClocks offsets of the other workers' clocks from this worker's; null if there are no other workers
     * @param onProbe receives each probe
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
        } else if (MessageHeader.endsLikeProbe(payload, runTag)) {
            receivedUnknown(payload);
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
            receivedUnknown(payload);
        }
    }

    private void receivedUnknown(byte[] payload) {
        if (MessageHeader.endsLikeProbe(payload, runTag)) {
            onProbe.changed(payload);
        }
        measurements.receivedUnknown();
    }

    private void receivedUntimed(long nowNs) {
        measurements.received(subscription, nowNs, Measurements.NOT_STAMPED, Measurements.NOT_STAMPED);
    }

    private void receivedNumbered(byte[] payload, int partition, long nowNs) {
        if (noted(payload, partition)) {
            receivedUntimed(nowNs);
        }
    }

    /**
     * Notes a message for the audit by a header that has only the low bits of the sequence number. Returns false, and
     * counts the message as unknown, if it cannot be one of the topic.
     */
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
        // Completed from the sender's own time: two clocks may differ by more than the range within which completion
        // is exact.
        long sentNs = MessageHeader.compactSentNs(payload, nowNs + sender.aheadNs());
        measurements.receivedFromOther(
                subscription, nowNs, Measurements.NOT_STAMPED, sentNs - sender.aheadNs(), sender.boundNs());
    }
}
