package io.openmessaging.benchmark.worker.protocol;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How a worker's producers and consumers behave.
 *
 * @param controlTimeout the limit for each control call to the system
 * @param inFlightLimit how many messages of a producer may be unconfirmed at a time; empty for as many as its client
 *     takes
 * @param consumerDelay how long a consumer is busy with each message
 * @param keepsSpan whether it is kept when the first and last message of a load were on their way
 * @param verifiesPayloads whether each byte of what arrives is checked, see {@link
 *     io.openmessaging.benchmark.load.PayloadChecks}, which the contents of messages then have
 * @param keepsAvailability whether it is kept what became of messages by the time at which they were to be sent, see {@link
 *     io.openmessaging.benchmark.load.AvailabilityRecorder}
 */
public record ClientOptions(
        Duration controlTimeout,
        OptionalInt inFlightLimit,
        Duration consumerDelay,
        boolean keepsSpan,
        boolean verifiesPayloads,
        boolean keepsAvailability) {

    /** Nothing that costs anything. */
    public static ClientOptions plain(Duration controlTimeout) {
        return new ClientOptions(controlTimeout, OptionalInt.empty(), Duration.ZERO, false, false, false);
    }
}
