package io.openmessaging.benchmark.worker;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Time for which a send may stay blocked after sending should have ended.
 *
 * @param beforeInterrupt time until the send is interrupted
 * @param afterInterrupt time that the send then has to react
 * @param waits receives a report of a send that blocks for longer than {@link #untold}, on the thread that ends the
 *     load
 */
record SendGrace(Duration beforeInterrupt, Duration afterInterrupt, Consumer<String> waits) {

    private static final Duration MOST_UNTOLD = Duration.ofSeconds(1);

    /** The values for a real run. */
    static SendGrace standard(Consumer<String> waits) {
        return new SendGrace(Duration.ofSeconds(10), Duration.ofSeconds(5), waits);
    }

    /** Time for which a blocked send is not reported: short blocks are common. */
    Duration untold() {
        return beforeInterrupt.compareTo(MOST_UNTOLD) < 0 ? beforeInterrupt : MOST_UNTOLD;
    }
}
