package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.DriverException;
import java.nio.charset.StandardCharsets;

/** Transports requests to a worker and its answers back, as bytes. */
public interface Exchange {

    /** The requests of {@link Worker}: names of its methods, with an underscore between words. */
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
     * The answer to a request.
     *
     * @param refused true if the request failed: the body is then a sentence with the reason, in UTF-8
     * @param body the answer
     */
    record WireReply(boolean refused, byte[] body) {

        /** Returns the answer to a request that failed, with a sentence for the reason. */
        public static WireReply failed(String sentence) {
            return new WireReply(true, sentence.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws DriverException if no answer arrives
     */
    WireReply exchange(Request request, byte[] body) throws DriverException, InterruptedException;
}
