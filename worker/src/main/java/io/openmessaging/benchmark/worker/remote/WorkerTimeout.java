package io.openmessaging.benchmark.worker.remote;

import java.time.Duration;
import java.util.Locale;

/** What a worker gets how long for. The defaults are this project's own, those of silence excepted, which are Locust's order. */
public enum WorkerTimeout {

    /** To accept a connection. */
    CONNECT(Duration.ofSeconds(5)),

    /** To answer at all: a step that takes longer is answered by how far it is. */
    ANSWER(Duration.ofSeconds(5)),

    /** To create its clients. */
    PREPARE(Duration.ofMinutes(30)),

    /** To carry out any other request. */
    STEP(Duration.ofMinutes(5)),

    /** To be free when a run before is being ended there. */
    FREE(Duration.ofSeconds(20)),

    /** Without an answer until it is suspect. */
    SUSPECT(Duration.ofSeconds(3)),

    /** Without an answer until it is lost. */
    LOST(Duration.ofSeconds(10));

    private final Duration byDefault;

    WorkerTimeout(Duration byDefault) {
        this.byDefault = byDefault;
    }

    /** What applies unless something else is asked for. */
    public Duration byDefault() {
        return byDefault;
    }

    /** By which it is set, and named in messages. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return key();
    }
}
