package io.openmessaging.benchmark.worker.transport;

import java.util.Objects;

/**
 * A coordinator wants a worker for itself.
 *
 * @param build what the coordinator runs, which has to be the same
 * @param coordinator who it is, for people
 * @param session a name that it has drawn at random, which nobody else can guess; the same in a claim that is repeated
 */
public record Claim(Build build, String coordinator, String session) {

    /** Refuses what is no claim: it may have come from anywhere. */
    public Claim {
        Objects.requireNonNull(build, "build");
        Objects.requireNonNull(coordinator, "coordinator");
        Objects.requireNonNull(session, "session");
    }
}
