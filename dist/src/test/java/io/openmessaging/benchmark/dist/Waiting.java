package io.openmessaging.benchmark.dist;

import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what processes do. */
final class Waiting {

    /** A look at all processes, or a request to one over HTTP, takes time that the awaited event needs. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private Waiting() {}

    /** Waits until a condition holds; a condition that throws does not hold yet. */
    static void until(String what, Callable<Boolean> holds) {
        Patience.await(what).pollInterval(BETWEEN_LOOKS).ignoreExceptions().until(holds);
    }
}
