package io.openmessaging.benchmark.load;

import java.util.ArrayList;
import java.util.List;

/**
 * A rate over time, relative to a start that the user of the profile chooses: a sequence of segments. The last one
 * continues forever at its final rate.
 *
 * @param segments at least one
 */
public record RateProfile(List<Segment> segments) {

    /**
     * A stretch of time in which the rate changes linearly from one value to another, or stays constant.
     *
     * @param durationNs its length
     * @param fromMsgPerSec the rate at its start; 0 for none, infinity for as fast as the client accepts messages
     * @param toMsgPerSec the rate at its end: equal to the first, or another finite one
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

    /** Returns a constant rate: messages per second, 0 or infinity. */
    public static RateProfile steady(double msgPerSec) {
        return new RateProfile(List.of(new Segment(0, msgPerSec, msgPerSec)));
    }

    /** Returns this profile with all rates multiplied by a factor. */
    public RateProfile times(double factor) {
        return new RateProfile(
                segments.stream().map(segment -> segment.times(factor)).toList());
    }

    /** Returns the rate at the start. */
    public double firstMsgPerSec() {
        return segments.get(0).fromMsgPerSec();
    }

    /** Returns the final rate. */
    public double lastMsgPerSec() {
        return segments.get(segments.size() - 1).toMsgPerSec();
    }

    /** Returns the number of messages due in the given time from its start; infinity if the rate has no limit. */
    public double messagesIn(double seconds) {
        long endNs = Math.round(seconds * 1e9);
        return stretches(0).stream()
                .filter(stretch -> stretch.startNs < endNs)
                .mapToDouble(stretch -> stretch.messagesBy(Math.min(stretch.endNs, endNs)))
                .sum();
    }

    /** Returns its segments as stretches of time, for a given start; the last one has no end. */
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
