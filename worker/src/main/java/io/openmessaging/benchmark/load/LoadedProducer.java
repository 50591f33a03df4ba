package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.measure.Measurements;
import org.jspecify.annotations.Nullable;

/**
 * A driver's producer together with its audit and measurements. {@link #send} is called by one sending thread at a
 * time.
 */
public final class LoadedProducer {

    private final BenchmarkProducer producer;
    private final ProducerAudit audit;
    private final Measurements measurements;
    private final MessageHeader.Layout layout;
    private final int runTag;

    /** Creates a producer that has sent nothing yet. */
    public LoadedProducer(
            BenchmarkProducer producer,
            ProducerAudit audit,
            Measurements measurements,
            MessageHeader.Layout layout,
            int runTag) {
        this.producer = producer;
        this.audit = audit;
        this.measurements = measurements;
        this.layout = layout;
        this.runTag = runTag;
    }

    public BenchmarkProducer producer() {
        return producer;
    }

    public ProducerAudit audit() {
        return audit;
    }

    /** Writes the header into the payload and hands the message to the client. */
    public void send(@Nullable String key, byte[] payload, long intendedNs, long sentNs) throws InterruptedException {
        long sequence = audit.nextSequence();
        switch (layout) {
            case FULL -> MessageHeader.writeFull(payload, runTag, audit.producer(), sequence, intendedNs, sentNs);
            case COMPACT -> MessageHeader.writeCompact(payload, audit.producer(), sequence, sentNs);
            case NUMBERED -> MessageHeader.writeNumbered(payload, audit.producer(), sequence);
            case NONE -> {}
        }
        InFlight message = new InFlight(this, sequence, intendedNs, sentNs);
        try {
            producer.send(key, payload, message);
        } catch (Throwable e) {
            // By the driver's contract there is no callback after an exception, and every message must be accounted
            // for.
            message.failed(e);
            throw e;
        }
    }

    /** A message in flight: the only object that the harness allocates for it. */
    private static final class InFlight implements SendCallback {

        private final LoadedProducer from;
        private final long sequence;
        private final long intendedNs;
        private final long sentNs;

        InFlight(LoadedProducer from, long sequence, long intendedNs, long sentNs) {
            this.from = from;
            this.sequence = sequence;
            this.intendedNs = intendedNs;
            this.sentNs = sentNs;
        }

        @Override
        public void acknowledged() {
            from.measurements.acknowledged(intendedNs, sentNs);
        }

        @Override
        public void failed(Throwable cause) {
            from.audit.failed(sequence);
            from.measurements.failed(cause);
        }
    }
}
