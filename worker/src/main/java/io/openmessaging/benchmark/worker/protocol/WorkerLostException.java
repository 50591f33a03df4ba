package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.DriverException;

/** A worker is gone without which a request makes no sense. The message is a sentence that names it. */
public final class WorkerLostException extends DriverException {

    private static final long serialVersionUID = 1L;

    public WorkerLostException(String message) {
        super(message);
    }
}
