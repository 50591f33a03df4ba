package io.openmessaging.benchmark.dist;

import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what processes do. */
final class Waiting {

    /** To look at all processes, or to ask one over HTTP, costs time that what is waited for needs. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private Waiting() {}

    /** Waits until something holds; as long as that cannot be found out, it does not. */
    static void until(String what, Callable<Boolean> holds) {
        Patience.await(what).pollInterval(BETWEEN_LOOKS).ignoreExceptions().until(holds);
    }
}
