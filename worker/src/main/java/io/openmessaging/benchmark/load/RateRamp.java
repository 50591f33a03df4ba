package io.openmessaging.benchmark.load;

/**
 * A stretch of time in which the rate goes evenly from one value to another, or stays as it is: how many messages have come
 * together by a time, and its inverse, when that many have. With {@code t} seconds since its start these are {@code
 * n = from·t + a·t²}, with {@code a} half of what the rate gains in a second, and {@code t = 2n / (from + √(from² + 4an))},
 * the form of the solution that loses no digits. Immutable.
 */
final class RateRamp {

    private static final double NS_PER_SECOND = 1e9;

    /** Where it begins. */
    final long startNs;

    /** Where the next stretch begins, MAX_VALUE for the last. */
    final long endNs;

    /** 0 for no message, infinity for as fast as the client accepts them. */
    private final double fromMsgPerSec;

    /** By how much the rate rises in a second; below 0 if it falls. */
    private final double riseMsgPerSec2;

    private RateRamp(long startNs, long endNs, double fromMsgPerSec, double riseMsgPerSec2) {
        this.startNs = startNs;
        this.endNs = endNs;
        this.fromMsgPerSec = fromMsgPerSec;
        this.riseMsgPerSec2 = riseMsgPerSec2;
    }

    /** A segment of a profile, from a time on. */
    static RateRamp of(RateProfile.Segment segment, long startNs) {
        double from = segment.fromMsgPerSec();
        double to = segment.toMsgPerSec();
        double rise = from == to ? 0 : (to - from) * NS_PER_SECOND / segment.durationNs();
        return new RateRamp(startNs, startNs + segment.durationNs(), from, rise);
    }

    /** The same rate from a time on, for ever. */
    static RateRamp steady(double rateMsgPerSec, long startNs) {
        return new RateRamp(startNs, Long.MAX_VALUE, rateMsgPerSec, 0);
    }

    /** The same, but the next stretch begins at a time. */
    RateRamp endingAt(long atNs) {
        return new RateRamp(startNs, atNs, fromMsgPerSec, riseMsgPerSec2);
    }

    /**
     * When so many messages have come together, counted from the start of the stretch, as if it had no end: {@link
     * Schedule#AT_ONCE} if it has no limit, {@link Schedule#NEVER} if that many never do.
     */
    long dueNs(double messages) {
        if (riseMsgPerSec2 != 0) {
            return dueOfRampNs(messages);
        }
        if (fromMsgPerSec == Double.POSITIVE_INFINITY) {
            return Schedule.AT_ONCE;
        }
        return fromMsgPerSec == 0
                ? Schedule.NEVER
                : startNs + (long) Math.ceil(messages * NS_PER_SECOND / fromMsgPerSec);
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
        return startNs + (long) Math.ceil(seconds * NS_PER_SECOND);
    }

    /** How many messages have come together by a time; below 0 for one before the start, infinity if there is no limit. */
    double messagesBy(long atNs) {
        if (fromMsgPerSec == Double.POSITIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double forNs = atNs - startNs;
        return (fromMsgPerSec + riseMsgPerSec2 * forNs / NS_PER_SECOND / 2) * forNs / NS_PER_SECOND;
    }

    /** Whether a message due then, if this stretch says so, belongs to the stretch after it. */
    boolean isOverBy(long dueNs) {
        return endNs != Long.MAX_VALUE && (dueNs == Schedule.AT_ONCE || dueNs >= endNs);
    }
}
