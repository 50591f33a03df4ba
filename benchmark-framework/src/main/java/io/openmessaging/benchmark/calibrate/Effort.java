package io.openmessaging.benchmark.calibrate;

import java.time.Duration;

/**
 * The time that a calibration takes for each of its parts.
 *
 * @param quick true if short measurements were requested
 * @param watch time that the machine is watched while nothing of ours runs
 * @param warmUp time of each of two loads before the first that counts, for the compiler of the JVM
 * @param settle first part of each load, not measured
 * @param observe measured part of each load that decides
 * @param searchObserve measured part of each load that searches for the ceiling
 * @param precision the ceiling is found when the next higher rate that was refused is at most this factor above it
 */
public record Effort(
        boolean quick,
        Duration watch,
        Duration warmUp,
        Duration settle,
        Duration observe,
        Duration searchObserve,
        double precision) {

    /** Takes less than a minute. */
    public static Effort standard() {
        return new Effort(
                false,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofMillis(300),
                Duration.ofSeconds(3),
                Duration.ofMillis(1000),
                1.05);
    }

    /** Takes some ten seconds. */
    public static Effort brief() {
        return new Effort(
                true,
                Duration.ofMillis(300),
                Duration.ofMillis(500),
                Duration.ofMillis(100),
                Duration.ofMillis(600),
                Duration.ofMillis(300),
                1.10);
    }
}
