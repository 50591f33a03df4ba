package io.openmessaging.benchmark.load;

import java.util.List;

/**
 * A rate over time, from a moment that whoever follows the profile says: stretches one after the other, of which the last
 * goes on for ever at the rate that it has come to.
 *
 * @param segments at least one
 */
public record RateProfile(List<Segment> segments) {

    private static final double NS_PER_SECOND = 1e9;

    /**
     * A stretch in which the rate goes evenly from one value to another, or stays as it is.
     *
     * @param durationNs its length
     * @param fromMsgPerSec the rate at its begin; 0 for none, infinity for as fast as the client takes them
     * @param toMsgPerSec the rate at its end: the same, or another finite one
     */
    public record Segment(long durationNs, double fromMsgPerSec, double toMsgPerSec) {

        Segment times(double factor) {
            return new Segment(durationNs, fromMsgPerSec * factor, toMsgPerSec * factor);
        }

        /** The messages of the first part of the stretch. */
        double messagesIn(double seconds) {
            double whole = durationNs / NS_PER_SECOND;
            double change = fromMsgPerSec == toMsgPerSec ? 0 : (toMsgPerSec - fromMsgPerSec) * seconds / whole;
            return (fromMsgPerSec + change / 2) * seconds;
        }
    }

    public RateProfile {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("a profile has at least one segment");
        }
    }

    /** A rate that does not change: messages a second, 0 or infinity. */
    public static RateProfile steady(double msgPerSec) {
        return new RateProfile(List.of(new Segment(0, msgPerSec, msgPerSec)));
    }

    /** The same course at a part of the rate. */
    public RateProfile times(double factor) {
        return new RateProfile(
                segments.stream().map(segment -> segment.times(factor)).toList());
    }

    /** The rate that the profile begins with. */
    public double firstMsgPerSec() {
        return segments.get(0).fromMsgPerSec();
    }

    /** The rate that it ends with. */
    public double lastMsgPerSec() {
        return segments.get(segments.size() - 1).toMsgPerSec();
    }

    /** How many messages are due in so many seconds from its begin; infinity if there is no limit to them. */
    public double messagesIn(double seconds) {
        double left = seconds;
        double messages = 0;
        for (Segment segment : segments) {
            double part = Math.min(left, segment.durationNs() / NS_PER_SECOND);
            if (part > 0) {
                messages += segment.messagesIn(part);
                left -= part;
            }
        }
        return left > 0 ? messages + lastMsgPerSec() * left : messages;
    }
}
