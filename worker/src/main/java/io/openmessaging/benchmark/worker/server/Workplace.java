package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Worker;

/** Where the runs of a server are carried out. */
@FunctionalInterface
public interface Workplace {

    /** A worker for one run. */
    Worker newWorker();
}
