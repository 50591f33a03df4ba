package io.openmessaging.benchmark.load;

/**
 * A stretch of time in which the rate changes linearly from one value to another, or stays constant. It computes how
 * many messages have accumulated by a time, and the inverse, when a number of messages have accumulated. With {@code
 * t} seconds since its start these are {@code n = from·t + a·t²}, with {@code a} half the rise of the rate per second,
 * and {@code t = 2n / (from + √(from² + 4an))}, the form of the solution that loses no digits. Immutable.
 */
final class RateRamp {

    /** Start of the stretch. */
    final long startNs;

    /** Start of the next stretch; MAX_VALUE for the last. */
    final long endNs;

    /** Rate at the start: 0 for no messages, infinity for as fast as the client accepts them. */
    private final double fromMsgPerSec;

    /** Rise of the rate per second; below 0 if it falls. */
    private final double riseMsgPerSec2;

    private RateRamp(long startNs, long endNs, double fromMsgPerSec, double riseMsgPerSec2) {
        this.startNs = startNs;
        this.endNs = endNs;
        this.fromMsgPerSec = fromMsgPerSec;
        this.riseMsgPerSec2 = riseMsgPerSec2;
    }

    /** Converts a segment of a profile, for a given start. */
    static RateRamp of(RateProfile.Segment segment, long startNs) {
        double from = segment.fromMsgPerSec();
        double to = segment.toMsgPerSec();
        double rise = from == to ? 0 : (to - from) * 1e9 / segment.durationNs();
        return new RateRamp(startNs, startNs + segment.durationNs(), from, rise);
    }

    /** Returns a constant rate from a time on, forever. */
    static RateRamp steady(double rateMsgPerSec, long startNs) {
        return new RateRamp(startNs, Long.MAX_VALUE, rateMsgPerSec, 0);
    }

    /** Returns this stretch with an end: the time at which the next one starts. */
    RateRamp endingAt(long atNs) {
        return new RateRamp(startNs, atNs, fromMsgPerSec, riseMsgPerSec2);
    }

    /**
     * Returns when the given number of messages has accumulated since the start of the stretch, as if the stretch had
     * no end: {@link Schedule#AT_ONCE} if the rate has no limit, {@link Schedule#NEVER} if the number is never
     * reached.
     */
    long dueNs(double messages) {
        if (riseMsgPerSec2 != 0) {
            return dueOfRampNs(messages);
        }
        if (fromMsgPerSec == Double.POSITIVE_INFINITY) {
            return Schedule.AT_ONCE;
        }
        return fromMsgPerSec == 0 ? Schedule.NEVER : startNs + (long) Math.ceil(messages * 1e9 / fromMsgPerSec);
    }

    private long dueOfRampNs(double messages) {
        if (messages <= 0) {
            return startNs;
        }
        double rateThenSquared = fromMsgPerSec * fromMsgPerSec + 2 * riseMsgPerSec2 * messages;
        if (rateThenSquared < 0) {
            return Schedule.NEVER;
        }
        double seconds = 2 * messages / (fromMsgPerSec + Math.sqrt(rateThenSquared));
        return startNs + (long) Math.ceil(seconds * 1e9);
    }

    /**
     * Returns how many messages have accumulated by a time; below 0 for a time before the start, infinity if there is
     * no limit.
     */
    double messagesBy(long atNs) {
        if (fromMsgPerSec == Double.POSITIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double forNs = atNs - startNs;
        return (fromMsgPerSec + riseMsgPerSec2 * forNs / 1e9 / 2) * forNs / 1e9;
    }

    /** Returns whether a message that this stretch makes due at a time belongs to the next stretch. */
    boolean isOverBy(long dueNs) {
        return endNs != Long.MAX_VALUE && (dueNs == Schedule.AT_ONCE || dueNs >= endNs);
    }
}
