package io.openmessaging.benchmark.load;

import java.util.ArrayList;
import java.util.List;

/**
 * A rate over time, from a moment that whoever follows the profile says: stretches one after the other, of which the last
 * continues forever at the rate that it has come to.
 *
 * @param segments at least one
 */
public record RateProfile(List<Segment> segments) {

    private static final double NS_PER_SECOND = 1e9;

    /**
     * A stretch in which the rate goes evenly from one value to another, or stays as it is.
     *
     * @param durationNs its length
     * @param fromMsgPerSec the rate at its begin; 0 for none, infinity for as fast as the client accepts them
     * @param toMsgPerSec the rate at its end: the same, or another finite one
     */
    public record Segment(long durationNs, double fromMsgPerSec, double toMsgPerSec) {

        Segment times(double factor) {
            return new Segment(durationNs, fromMsgPerSec * factor, toMsgPerSec * factor);
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
        long endNs = Math.round(seconds * NS_PER_SECOND);
        return stretches(0).stream()
                .filter(stretch -> stretch.startNs < endNs)
                .mapToDouble(stretch -> stretch.messagesBy(Math.min(stretch.endNs, endNs)))
                .sum();
    }

    /** The stretches of time that its segments become if it begins at a time; the last one has no end. */
    List<RateRamp> stretches(long fromNs) {
        List<RateRamp> stretches = new ArrayList<>();
        long startNs = fromNs;
        for (Segment segment : segments) {
            if (segment.durationNs() > 0) {
                stretches.add(RateRamp.of(segment, startNs));
                startNs += segment.durationNs();
            }
        }
        stretches.add(RateRamp.steady(lastMsgPerSec(), startNs));
        return stretches;
    }
}
