package io.openmessaging.benchmark.worker.protocol;

import java.util.Optional;

/** Whether a worker is still there. Thread-safe; never waits. */
@FunctionalInterface
public interface Liveness {

    /** Of one in this process. */
    Liveness ALWAYS = Optional::empty;

    /** Why the worker is lost, as a sentence; empty while it is not. One that is lost does not come back. */
    Optional<String> lost();
}
