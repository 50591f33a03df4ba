package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.worker.protocol.Placement;
import java.util.List;

/** Which workers send and which receive. */
public enum Roles {
    /** All do both. */
    MIXED,
    /** As OMB has it: the first half sends, the others receive. */
    SPLIT,
    /** As OMB has it with {@code --extra}: the first third sends, the others receive. */
    SPLIT_EXTRA;

    /**
     * The part of each worker.
     *
     * @param producers how many producers the run has at most
     */
    public List<Placement> placements(int workers, int producers) {
        return this == MIXED ? Placement.mixed(workers, producers) : Placement.split(workers, this == SPLIT_EXTRA);
    }

    /** In words. */
    String describe(int workers) {
        if (workers == 1) {
            return "sends and receives";
        }
        if (this == MIXED) {
            return "all send and receive";
        }
        int senders = placements(workers, workers).get(0).producerWorkers();
        return "the first " + senders + " send, " + (workers - senders) + " receive";
    }
}
