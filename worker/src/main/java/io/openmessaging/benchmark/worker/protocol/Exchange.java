package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.DriverException;

/** Takes requests to a worker and brings the answers, as bytes. */
public interface Exchange {

    /** The requests of {@link Worker}, by the names of its methods, with an underscore before each further word. */
    enum Request {
        PREPARE,
        PROBE,
        START,
        CHANGE,
        CONSUME,
        STATUS,
        PERIOD,
        STOP,
        END_SEARCH,
        FINISH,
        CLOSE
    }

    /**
     * What came back.
     *
     * @param refused whether the request failed: then the body is the sentence that says why, in UTF-8
     * @param body the answer
     */
    record WireReply(boolean refused, byte[] body) {}

    /**
     * Sends a request and waits for its answer.
     *
     * @throws DriverException if none came
     */
    WireReply exchange(Request request, byte[] body) throws DriverException, InterruptedException;
}
