package io.openmessaging.benchmark.driver.redis;

import java.time.Duration;

/** How long reads wait. */
final class ReadLimits {

    /**
     * How long Redis keeps a read waiting for messages: an idle consumer asks five times a second, which costs next to
     * nothing, and closes in less than that.
     */
    static final Duration WAIT = Duration.ofMillis(200);

    private ReadLimits() {}
}
