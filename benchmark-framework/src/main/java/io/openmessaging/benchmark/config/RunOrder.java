package io.openmessaging.benchmark.config;

/** The order of a plan's runs. */
public enum RunOrder {

    /** As written: repetition by repetition, with the systems in turn. */
    WRITTEN,

    /** Repetition by repetition, with all runs of a system one after the other, so that they share a broker. */
    SYSTEMS,

    /** Random, over all repetitions. */
    SHUFFLED
}
