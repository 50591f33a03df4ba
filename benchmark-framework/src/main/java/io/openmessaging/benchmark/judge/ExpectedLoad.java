package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.load.RateProfile;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the load of a measurement was to be.
 *
 * @param targetMsgPerSec its rate in the mean; empty if there is none to compare with
 * @param publishSeconds how long publishing took, where that is not the length of the measurement: a number of messages
 *     is measured until the last of them has arrived
 * @param random whether the number of messages in a time is a random one
 * @param even whether the load was to be the same from begin to end
 * @param driftWithin by what part it may change from begin to end, if the workload says so
 * @param rates what was due when, from the begin of the measurement on; empty if nobody is to be held to it
 */
public record ExpectedLoad(
        OptionalDouble targetMsgPerSec,
        OptionalDouble publishSeconds,
        boolean random,
        boolean even,
        OptionalDouble driftWithin,
        Optional<RateProfile> rates) {

    /** The same load from begin to end. */
    static ExpectedLoad even(OptionalDouble targetMsgPerSec, OptionalDouble publishSeconds) {
        return new ExpectedLoad(targetMsgPerSec, publishSeconds, false, true, OptionalDouble.empty(), Optional.empty());
    }

    /**
     * How many messages were due in a part of the measurement; infinity where the client was to take what it can, 0 unless
     * the load was on from the begin of the part to its end.
     */
    double due(double fromSeconds, double toSeconds) {
        if (rates.isEmpty() || toSeconds > publishSeconds.orElse(Double.POSITIVE_INFINITY)) {
            return 0;
        }
        RateProfile profile = rates.get();
        return profile.firstMsgPerSec() == Double.POSITIVE_INFINITY
                ? Double.POSITIVE_INFINITY
                : profile.messagesIn(toSeconds) - profile.messagesIn(fromSeconds);
    }

    /** By how many messages a random number that is so large in the mean may be off. */
    double scatter(double messages) {
        return random ? Judge.SCATTER * Math.sqrt(messages) : 0;
    }
}
