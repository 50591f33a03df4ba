package io.openmessaging.benchmark.load;

/**
 * A stretch whose rate goes evenly from one value to another. By {@code t} seconds after its start {@code from·t + a·t²}
 * messages have come together, with {@code a} half of what the rate gains in a second; when {@code n} have, is the
 * solution of that for {@code t}, in the form that loses no digits: {@code 2n / (from + √(from² + 4an))}.
 */
final class RampStretch extends Stretch {

    private final double fromMsgPerSec;

    /** By how much the rate rises in a second; below 0 if it falls. */
    private final double riseMsgPerSec2;

    /**
     * A ramp, of which the part up to the end is used.
     *
     * @param durationNs in which the rate would come to the other value
     */
    static RampStretch of(long startNs, double fromMsgPerSec, double toMsgPerSec, long durationNs, long endNs) {
        double rise = (toMsgPerSec - fromMsgPerSec) * NS_PER_SECOND / durationNs;
        return new RampStretch(startNs, fromMsgPerSec, rise, endNs);
    }

    private RampStretch(long startNs, double fromMsgPerSec, double riseMsgPerSec2, long endNs) {
        super(startNs, endNs);
        this.fromMsgPerSec = fromMsgPerSec;
        this.riseMsgPerSec2 = riseMsgPerSec2;
    }

    @Override
    long dueNs(double messages) {
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

    @Override
    double messagesBy(long atNs) {
        double seconds = (atNs - startNs) / NS_PER_SECOND;
        return (fromMsgPerSec + riseMsgPerSec2 * seconds / 2) * seconds;
    }

    @Override
    Stretch endingAt(long atNs) {
        return new RampStretch(startNs, fromMsgPerSec, riseMsgPerSec2, atNs);
    }
}
