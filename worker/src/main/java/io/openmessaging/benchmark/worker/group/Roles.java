package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.worker.protocol.Placement;
import java.util.List;

/** Defines which workers have producers and which have consumers. */
public enum Roles {

    /** All workers have both, see {@link Placement#mixed}. */
    MIXED,

    /** Half of the workers have producers, the others consumers. */
    SPLIT,

    /** A third of the workers have producers, the others consumers. */
    SPLIT_WITH_MORE_CONSUMERS,

    /** Each worker has one producer or one consumer, see {@link Placement#oneEach}. */
    ONE_EACH;

    /**
     * Returns a placement for each worker.
     *
     * @param producers largest number of producers that the run has
     */
    public List<Placement> placements(int workers, int producers) {
        return switch (this) {
            case MIXED -> Placement.mixed(workers, producers);
            case SPLIT -> Placement.split(workers, false);
            case SPLIT_WITH_MORE_CONSUMERS -> Placement.split(workers, true);
            case ONE_EACH -> Placement.oneEach(workers, producers);
        };
    }
}
