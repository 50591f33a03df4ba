package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.load.RateProfile;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The intended load of a measurement.
 *
 * @param targetMsgPerSec mean rate; empty if there is none to compare with
 * @param publishSeconds time that publishing took, if that is not the length of the measurement: a number of messages
 *     is measured until the last of them has arrived
 * @param random true if the number of messages in a time is random
 * @param even true if the load was meant to be constant from start to end
 * @param driftWithin part by which it may change from start to end, if the workload sets one
 * @param rates messages due over time, from the start of the measurement; empty if the load is not held to a schedule
 */
public record ExpectedLoad(
        OptionalDouble targetMsgPerSec,
        OptionalDouble publishSeconds,
        boolean random,
        boolean even,
        OptionalDouble driftWithin,
        Optional<RateProfile> rates) {

    /** A load that is constant from start to end. */
    public static ExpectedLoad even(OptionalDouble targetMsgPerSec, boolean random) {
        return new ExpectedLoad(
                targetMsgPerSec, OptionalDouble.empty(), random, true, OptionalDouble.empty(), Optional.empty());
    }

    /**
     * Number of messages due in a part of the measurement; infinity if the client was to take as much as it can, 0
     * unless the load was on from the start of the part to its end.
     */
    double due(double fromSeconds, double toSeconds) {
        return toSeconds > publishSeconds.orElse(Double.POSITIVE_INFINITY) ? 0 : scheduled(fromSeconds, toSeconds);
    }

    /**
     * Number of messages scheduled in a part, also beyond the measurement: before it, the first rate applies. Infinity if
     * the client was to take as much as it can, 0 without a schedule.
     */
    double scheduled(double fromSeconds, double toSeconds) {
        if (rates.isEmpty()) {
            return 0;
        }
        RateProfile profile = rates.get();
        return profile.firstMsgPerSec() == Double.POSITIVE_INFINITY
                ? Double.POSITIVE_INFINITY
                : messagesUntil(profile, toSeconds) - messagesUntil(profile, fromSeconds);
    }

    private static double messagesUntil(RateProfile profile, double seconds) {
        return seconds < 0 ? seconds * profile.firstMsgPerSec() : profile.messagesIn(seconds);
    }

    /** Tolerated deviation of a random number with this mean, in messages. */
    double scatter(double messages) {
        return random ? Judge.SCATTER * Math.sqrt(messages) : 0;
    }
}
