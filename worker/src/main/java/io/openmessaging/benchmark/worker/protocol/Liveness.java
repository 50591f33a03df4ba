package io.openmessaging.benchmark.worker.protocol;

import java.util.Optional;

/** Tells whether a worker is still reachable. Thread-safe; never waits. */
@FunctionalInterface
public interface Liveness {

    /** For a worker in this process, which cannot be lost. */
    Liveness ALWAYS = Optional::empty;

    /** The reason why the worker is lost, as a sentence; empty while it is not. A lost worker stays lost. */
    Optional<String> lost();
}
