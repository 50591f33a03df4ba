package io.openmessaging.benchmark.worker.group;

import java.time.Duration;

/**
 * Lead times for actions that must happen on all workers at once.
 *
 * @param firstStart minimum lead time of the first load of a run
 * @param laterStart lead time of a later load, in addition to some round trips
 * @param change lead time of a change of rates, in addition to some round trips
 * @param confirmed time before a start or change by which all workers must have confirmed it
 * @param clocks interval at which workers receive the clock offsets
 * @param pace minimum time from one status to the next, per worker: 125 requests a second cost the coordinator some 2.5 %
 *     of a core
 */
public record Timing(
        Duration firstStart, Duration laterStart, Duration change, Duration confirmed, Duration clocks, Duration pace) {

    /** A multiple of the median round trip: on a fully loaded machine, single ones take several times as long. */
    private static final int ROUND_TRIPS = 10;

    /** The values for a real run. */
    public static Timing standard() {
        return new Timing(
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofMillis(250),
                Duration.ofSeconds(1),
                Duration.ofMillis(8));
    }

    /** Returns the lead time of a load. */
    long startNs(boolean first, long roundTripNs) {
        long tripsNs = ROUND_TRIPS * roundTripNs;
        return first ? Math.max(firstStart.toNanos(), tripsNs) : laterStart.toNanos() + tripsNs;
    }

    /** Returns the lead time of a change of rates. */
    long changeNs(long roundTripNs) {
        return change.toNanos() + ROUND_TRIPS * roundTripNs;
    }
}
