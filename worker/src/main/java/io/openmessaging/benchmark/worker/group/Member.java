package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.worker.protocol.Liveness;
import io.openmessaging.benchmark.worker.protocol.Worker;

/**
 * A worker of a group, with what is known of the way to it. The worker is asked by one thread at a time; a request that is
 * interrupted ends soon, and one to a worker that does not answer lasts until it is known to be lost. Everything else may
 * be asked by any thread and does not wait.
 */
public interface Member extends Liveness {

    /** What people call it: {@code worker 3 (host)}. */
    String name();

    /** The worker itself. */
    Worker worker();

    /** How long a request and its answer take together at present, in nanoseconds. */
    long roundTripNs();

    /** How far its clock is from the coordinator's at present. */
    Offset clock();

    /** How far it is with a long request, such as {@code 4,000 of 10,000 producers}; empty while there is none. */
    String progress();
}
