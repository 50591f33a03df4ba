package io.openmessaging.benchmark.worker;

import java.time.Duration;

/**
 * How long a send may keep blocking once sending is to end.
 *
 * @param beforeInterrupt until it is interrupted
 * @param afterInterrupt what it has then to notice
 */
record SendGrace(Duration beforeInterrupt, Duration afterInterrupt) {

    /** That of a real run. */
    static final SendGrace STANDARD = new SendGrace(Duration.ofSeconds(10), Duration.ofSeconds(5));
}
