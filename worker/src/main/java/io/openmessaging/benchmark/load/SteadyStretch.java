package io.openmessaging.benchmark.load;

/** A stretch of constant rate: message {@code i} is due at {@code start + ⌈10⁹·i/rate⌉}. */
final class SteadyStretch extends Stretch {

    private final double rateMsgPerSec;

    /** A rate of 0 for no message, infinity for as fast as the client takes them. */
    SteadyStretch(long startNs, double rateMsgPerSec, long endNs) {
        super(startNs, endNs);
        this.rateMsgPerSec = rateMsgPerSec;
    }

    @Override
    long dueNs(double messages) {
        if (rateMsgPerSec == Double.POSITIVE_INFINITY) {
            return Schedule.AT_ONCE;
        }
        if (rateMsgPerSec == 0) {
            return Schedule.NEVER;
        }
        return startNs + (long) Math.ceil(messages * NS_PER_SECOND / rateMsgPerSec);
    }

    @Override
    double messagesBy(long atNs) {
        return rateMsgPerSec == Double.POSITIVE_INFINITY
                ? Double.POSITIVE_INFINITY
                : (atNs - startNs) * rateMsgPerSec / NS_PER_SECOND;
    }

    @Override
    Stretch endingAt(long atNs) {
        return new SteadyStretch(startNs, rateMsgPerSec, atNs);
    }
}
