package io.openmessaging.benchmark.load;

import java.util.ArrayDeque;

/**
 * A schedule made of stretches. A rate is the speed at which messages come together; a message is due when as many have
 * come together as its position says. Which positions those are is what kinds of schedules differ in.
 */
abstract class RateSchedule extends Schedule {

    private final ArrayDeque<Stretch> later = new ArrayDeque<>();
    private Stretch current;

    RateSchedule(long startNs, RateProfile profile) {
        // Replaced by the profile's first stretch before anybody asks.
        current = new SteadyStretch(startNs, 0, startNs);
        follow(startNs, profile);
        current = later.remove();
    }

    /** The position of the next message, counted from the start of the current stretch. */
    abstract double position();

    /** Another stretch is the current one; the next message has this position in it. */
    abstract void moveTo(double position);

    @Override
    public final long next() {
        long dueNs = current.dueNs(position());
        while (current.isOverBy(dueNs)) {
            double missing = position() - current.messagesBy(current.endNs);
            // Below 0 by rounding, or because there was no limit.
            moveTo(Math.max(0, missing));
            current = later.remove();
            dueNs = current.dueNs(position());
        }
        return dueNs;
    }

    @Override
    public final void change(long fromNs, RateProfile profile) {
        while (!later.isEmpty() && later.getLast().startNs >= fromNs) {
            later.removeLast();
        }
        if (later.isEmpty()) {
            current = current.endingAt(fromNs);
        } else {
            later.add(later.removeLast().endingAt(fromNs));
        }
        follow(fromNs, profile);
    }

    private void follow(long fromNs, RateProfile profile) {
        long startNs = fromNs;
        for (RateProfile.Segment segment : profile.segments()) {
            if (segment.durationNs() > 0) {
                later.add(stretch(startNs, segment));
                startNs += segment.durationNs();
            }
        }
        later.add(new SteadyStretch(startNs, profile.lastMsgPerSec(), Long.MAX_VALUE));
    }

    private static Stretch stretch(long startNs, RateProfile.Segment segment) {
        double fromMsgPerSec = segment.fromMsgPerSec();
        double toMsgPerSec = segment.toMsgPerSec();
        long endNs = startNs + segment.durationNs();
        // Without a ramp the class of ramps is never loaded, and the calls of the other are direct ones.
        return fromMsgPerSec == toMsgPerSec
                ? new SteadyStretch(startNs, fromMsgPerSec, endNs)
                : RampStretch.of(startNs, fromMsgPerSec, toMsgPerSec, segment.durationNs(), endNs);
    }
}
