package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.measure.Counter;

/**
 * What one producer has sent. {@link #nextSequence()} is called by its sending thread, {@link #failed} by any, {@link
 * #dispatches()} after the producer was closed.
 */
public final class ProducerAudit {

    private final int producer;
    private final SequenceSet failed = new SequenceSet();
    private final Counter sent = new Counter();
    private long measuredFrom;

    /** Nothing sent yet. */
    public ProducerAudit(int producer) {
        this.producer = producer;
    }

    /** The number of this producer. */
    public int producer() {
        return producer;
    }

    /** The sequence number of the message that is about to be sent, counted from 0. */
    public long nextSequence() {
        long sequence = sent.get();
        sent.add(1);
        return sequence;
    }

    /** The message with this number was refused: it need not arrive. */
    public void failed(long sequence) {
        synchronized (failed) {
            failed.add(sequence);
        }
    }

    /**
     * What was sent until now belongs to a search; the measurement begins with the next message. Called while nothing is
     * sent, by the thread that will ask for {@link #dispatches()}.
     *
     * @return the sequence number of the next message
     */
    public long endSearch() {
        measuredFrom = sent.get();
        return measuredFrom;
    }

    /** What was sent and refused. */
    public AuditPart.Dispatches dispatches() {
        synchronized (failed) {
            return new AuditPart.Dispatches(producer, sent.get(), measuredFrom, failed.copy());
        }
    }
}
