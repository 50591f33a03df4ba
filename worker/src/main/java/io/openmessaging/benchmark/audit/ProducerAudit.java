package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.measure.Counter;

/**
 * The record of one producer's messages. {@link #nextSequence()} is called by its sending thread, {@link #failed} by
 * any, {@link #dispatches()} after the producer was closed.
 */
public final class ProducerAudit {

    private final int producer;
    private final SequenceSet failed = new SequenceSet();
    private final Counter sent = new Counter();
    private long measuredFrom;

    /** Creates the audit of a producer that has sent nothing yet. */
    public ProducerAudit(int producer) {
        this.producer = producer;
    }

    public int producer() {
        return producer;
    }

    /** Returns the sequence number of the message that is about to be sent, counted from 0, and advances it. */
    public long nextSequence() {
        long sequence = sent.get();
        sent.add(1);
        return sequence;
    }

    /** Notes that the message with this number was refused: it need not arrive. */
    public void failed(long sequence) {
        synchronized (failed) {
            failed.add(sequence);
        }
    }

    /**
     * Ends a search: messages sent so far belong to it; the measurement starts with the next message. Called while
     * nothing is sent, by the thread that will call {@link #dispatches()}.
     *
     * @return the sequence number of the next message
     */
    public long endSearch() {
        measuredFrom = sent.get();
        return measuredFrom;
    }

    /** Returns the sent and the refused messages. */
    public AuditPart.Dispatches dispatches() {
        synchronized (failed) {
            return new AuditPart.Dispatches(producer, sent.get(), measuredFrom, failed.copy());
        }
    }
}
