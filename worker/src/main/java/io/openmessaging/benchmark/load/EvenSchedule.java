package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;

/** Messages at even distances: each time that another one has come together, the next is due. */
final class EvenSchedule extends RateSchedule {

    private final Counter sent = new Counter();

    /** How many were sent before the current stretch. */
    private long sentBefore;

    /** How much of a message has to come together before the first one of the current stretch is due. */
    private double missing;

    EvenSchedule(long startNs, RateProfile profile) {
        super(startNs, profile);
    }

    @Override
    double position() {
        return sent.get() - sentBefore + missing;
    }

    @Override
    void moveTo(double position) {
        sentBefore = sent.get();
        missing = position;
    }

    @Override
    public void advance() {
        sent.add(1);
    }

    @Override
    void skip(long messages) {
        sent.add(messages);
    }
}
