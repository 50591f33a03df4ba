package io.openmessaging.benchmark.dist;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Bounded waits with a sentence. */
final class Waiting {

    private Waiting() {}

    /** Waits until something holds. */
    static void until(String what, Duration limit, Callable<Boolean> holds) {
        Awaitility.await(what)
                .atMost(limit)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .until(holds);
    }
}
