package io.openmessaging.benchmark.worker.protocol;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * Behaviour of a worker's producers and consumers.
 *
 * @param controlTimeout limit for each control call to the system
 * @param inFlightLimit largest number of unconfirmed messages per producer; empty for no limit but the client's own
 * @param consumerDelay time for which a consumer is busy with each message
 * @param keepsSpan true to record when the first and last message of a load were in flight
 * @param verifiesPayloads true to check each byte of every message received, see
 *     {@link io.openmessaging.benchmark.load.PayloadChecks}; payloads then contain what the check needs
 * @param keepsAvailability true to record the outcome of messages by their intended send time, see
 *     {@link io.openmessaging.benchmark.load.AvailabilityRecorder}
 */
public record ClientOptions(
        Duration controlTimeout,
        OptionalInt inFlightLimit,
        Duration consumerDelay,
        boolean keepsSpan,
        boolean verifiesPayloads,
        boolean keepsAvailability) {

    /** Options without anything that costs time. */
    public static ClientOptions plain(Duration controlTimeout) {
        return new ClientOptions(controlTimeout, OptionalInt.empty(), Duration.ZERO, false, false, false);
    }
}
