package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.worker.protocol.Liveness;
import io.openmessaging.benchmark.worker.protocol.Worker;

/**
 * A worker of a group and the state of its connection. Requests to the worker come from one thread at a time; an
 * interrupted request ends soon, and a request to a worker that does not answer lasts until the worker counts as lost.
 * All other methods may be called by any thread and do not wait.
 */
public interface Member extends Liveness {

    /** The name of the worker for people: {@code worker 3 (host)}. */
    String name();

    Worker worker();

    /** The current time for a request and its answer, in nanoseconds. */
    long roundTripNs();

    /** The current offset of the worker's clock from the coordinator's. */
    Offset clock();

    /** The progress of a long request, such as {@code 4,000 of 10,000 producers}; empty while there is none. */
    String progress();
}
