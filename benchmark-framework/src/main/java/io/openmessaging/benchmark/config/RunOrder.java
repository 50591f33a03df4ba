package io.openmessaging.benchmark.config;

/** In which order a plan's runs are run. */
public enum RunOrder {

    /** As they are written: repetition by repetition, with the systems in turn. */
    WRITTEN,

    /** In an order drawn by lot, over all repetitions. */
    SHUFFLED
}
