package io.openmessaging.benchmark.worker;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How long a send may keep blocking once sending is to end.
 *
 * @param beforeInterrupt until it is interrupted
 * @param afterInterrupt what it has then to notice
 * @param waits told of a send that blocks for longer than {@link #untold}, by the thread that ends the load
 */
record SendGrace(Duration beforeInterrupt, Duration afterInterrupt, Consumer<String> waits) {

    private static final Duration MOST_UNTOLD = Duration.ofSeconds(1);

    /** That of a real run. */
    static SendGrace standard(Consumer<String> waits) {
        return new SendGrace(Duration.ofSeconds(10), Duration.ofSeconds(5), waits);
    }

    /** How long nothing is said of it: sends that block for so short a time are common. */
    Duration untold() {
        return beforeInterrupt.compareTo(MOST_UNTOLD) < 0 ? beforeInterrupt : MOST_UNTOLD;
    }
}
