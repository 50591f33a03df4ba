package io.openmessaging.benchmark.worker.transport;

import java.util.Objects;

/**
 * A coordinator's request to own a worker.
 *
 * @param build build of the coordinator; the worker's must be equal
 * @param coordinator name of the coordinator, for people
 * @param session random name drawn by the coordinator, which nobody else can guess; equal in repetitions of the claim
 */
public record Claim(Build build, String coordinator, String session) {

    /** Rejects invalid data: it may come from anywhere. */
    public Claim {
        Objects.requireNonNull(build, "build");
        Objects.requireNonNull(coordinator, "coordinator");
        Objects.requireNonNull(session, "session");
    }
}
