package io.openmessaging.benchmark.cli.job;

/** Where the broker of a run comes from. */
public enum BrokerMode {
    /** Started here if the driver points to this machine and nothing listens there. */
    AUTO,
    /** Always started here. */
    LOCAL,
    /** Never started here. */
    EXTERNAL
}
