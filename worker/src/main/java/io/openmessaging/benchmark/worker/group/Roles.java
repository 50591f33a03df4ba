package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.worker.protocol.Placement;
import java.util.List;

/** Which workers have producers and which have consumers. */
public enum Roles {

    /** All have both, see {@link Placement#mixed}. */
    MIXED,

    /** Half of them have producers, the others consumers. */
    SPLIT,

    /** A third of them has producers, the others consumers. */
    SPLIT_WITH_MORE_CONSUMERS;

    /**
     * A placement for each worker.
     *
     * @param producers how many the run has at most
     */
    public List<Placement> placements(int workers, int producers) {
        return switch (this) {
            case MIXED -> Placement.mixed(workers, producers);
            case SPLIT -> Placement.split(workers, false);
            case SPLIT_WITH_MORE_CONSUMERS -> Placement.split(workers, true);
        };
    }
}
