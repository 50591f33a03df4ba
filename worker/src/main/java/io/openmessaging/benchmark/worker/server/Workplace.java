package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.function.Consumer;

/** Where the runs of a server are carried out. */
@FunctionalInterface
public interface Workplace {

    /**
     * A worker for one run.
     *
     * @param progress told how far a request is that takes long
     */
    Worker newWorker(Consumer<String> progress);
}
