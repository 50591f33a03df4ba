package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.clock.Offset;
import java.util.Optional;

/**
 * A snapshot of a worker during a run.
 *
 * @param name display name: {@code worker 1 (host:8080)}
 * @param suspect true if there has been no sign of life for a while; the worker may come back
 * @param lost why the worker is lost; empty while it is not
 * @param clock how far its clock is ahead of the coordinator's; empty if unknown
 * @param roundTripNs median round-trip time of the latest requests
 */
public record WorkerState(
        String name, boolean suspect, Optional<String> lost, Optional<Offset> clock, long roundTripNs) {

    /** Returns whether the worker is neither suspect nor lost. */
    public boolean isUp() {
        return !suspect && lost.isEmpty();
    }
}
