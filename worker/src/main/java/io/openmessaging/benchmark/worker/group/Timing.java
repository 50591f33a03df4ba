package io.openmessaging.benchmark.worker.group;

import java.time.Duration;

/**
 * How long a group takes for what has to happen everywhere at once.
 *
 * @param firstStart how long ahead the first load of a run is told at least
 * @param laterStart how long ahead a later one is told, besides some round trips
 * @param change how long ahead other rates are told, besides some round trips
 * @param confirmed how long before its time all workers must have confirmed a load, or other rates
 * @param clocks how often workers are told how far clocks are apart
 * @param pace for each worker, how long it is at least from one status to the next
 */
public record Timing(
        Duration firstStart, Duration laterStart, Duration change, Duration confirmed, Duration clocks, Duration pace) {

    /** So many median round trips: on a full machine, single ones take several times as long. */
    private static final int ROUND_TRIPS = 10;

    /** That of a real run. */
    public static Timing standard() {
        return new Timing(
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofMillis(250),
                Duration.ofSeconds(1),
                Duration.ofMillis(2));
    }

    /** How long ahead a load is told. */
    long startNs(boolean first, long roundTripNs) {
        long tripsNs = ROUND_TRIPS * roundTripNs;
        return first ? Math.max(firstStart.toNanos(), tripsNs) : laterStart.toNanos() + tripsNs;
    }

    /** How long ahead other rates are told. */
    long changeNs(long roundTripNs) {
        return change.toNanos() + ROUND_TRIPS * roundTripNs;
    }
}
