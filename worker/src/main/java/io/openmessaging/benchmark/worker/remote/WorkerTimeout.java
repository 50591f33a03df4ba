package io.openmessaging.benchmark.worker.remote;

import java.time.Duration;
import java.util.Locale;

/**
 * Time limits for worker calls. The defaults are this project's own; those for silence are of the same order as
 * Locust's.
 */
public enum WorkerTimeout {

    /** To accept a connection. */
    CONNECT(Duration.ofSeconds(5)),

    /** To answer at all: a step that takes longer is answered with its progress. */
    ANSWER(Duration.ofSeconds(5)),

    /** To create its clients. */
    PREPARE(Duration.ofMinutes(30)),

    /** To execute any other request. */
    STEP(Duration.ofMinutes(5)),

    /** To become free while a previous run is being ended. */
    FREE(Duration.ofSeconds(20)),

    /** Silence after which a worker is suspect. */
    SUSPECT(Duration.ofSeconds(3)),

    /**
     * Silence after which a worker is lost. {@link ClaimedWorker} asks after {@value ClaimedWorker#QUIET_MS} ms of
     * silence, and again whenever {@value ClaimedWorker#BEAT_LIMIT_MS} ms have passed without an answer. So
     * it was asked at least twice, besides the requests of the run. A run ends some six seconds after a loss, and has
     * to end within 15 s of the worker's last sign of life.
     */
    LOST(Duration.ofSeconds(8));

    private final Duration byDefault;

    WorkerTimeout(Duration byDefault) {
        this.byDefault = byDefault;
    }

    public Duration byDefault() {
        return byDefault;
    }

    /** The name used in the option and in messages. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return key();
    }
}
