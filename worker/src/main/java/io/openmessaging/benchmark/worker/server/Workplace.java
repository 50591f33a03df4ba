package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.function.Consumer;

/** Creates the workers that execute the runs of a server. */
@FunctionalInterface
public interface Workplace {

    /**
     * Creates a worker for one run.
     *
     * @param progress receives the progress of long requests
     */
    Worker newWorker(Consumer<String> progress);
}
