package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.clock.Offset;
import java.util.Optional;

/**
 * What is known of a worker at one moment of a run.
 *
 * @param name for people: {@code worker 1 (host)}
 * @param suspect whether there has been no sign of life for a while; it may come back
 * @param lost why it is lost; empty while it is not
 * @param clock how far its clock is ahead of the coordinator's; empty where that is not known
 * @param roundTripNs the median time of the latest requests and their answers
 */
public record WorkerState(
        String name, boolean suspect, Optional<String> lost, Optional<Offset> clock, long roundTripNs) {

    /** Whether it is heard of. */
    public boolean isUp() {
        return !suspect && lost.isEmpty();
    }
}
