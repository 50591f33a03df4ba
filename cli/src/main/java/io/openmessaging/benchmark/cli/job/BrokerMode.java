package io.openmessaging.benchmark.cli.job;

/** Source of the broker of a run. */
public enum BrokerMode {
    /** Started here if the driver points to this machine and nothing listens there. */
    AUTO,
    /** Always started here. */
    LOCAL,
    /** Never started here. */
    EXTERNAL
}
