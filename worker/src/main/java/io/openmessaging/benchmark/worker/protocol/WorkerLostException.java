package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.DriverException;

/** A worker was lost without which a request is pointless. The message is a sentence that names it. */
public final class WorkerLostException extends DriverException {

    private static final long serialVersionUID = 1L;

    public WorkerLostException(String message) {
        super(message);
    }
}
