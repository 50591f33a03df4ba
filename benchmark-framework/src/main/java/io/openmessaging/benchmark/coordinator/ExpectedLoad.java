package io.openmessaging.benchmark.coordinator;

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
 */
record ExpectedLoad(
        OptionalDouble targetMsgPerSec,
        OptionalDouble publishSeconds,
        boolean random,
        boolean even,
        OptionalDouble driftWithin) {

    /** The same load from begin to end. */
    static ExpectedLoad even(OptionalDouble targetMsgPerSec, OptionalDouble publishSeconds) {
        return new ExpectedLoad(targetMsgPerSec, publishSeconds, false, true, OptionalDouble.empty());
    }

    /** By how many messages a random number that is so large in the mean may be off. */
    double scatter(double messages) {
        return random ? Judge.SCATTER * Math.sqrt(messages) : 0;
    }
}
