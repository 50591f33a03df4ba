package io.openmessaging.benchmark.driver;

/** Takes note of what goes wrong in a client outside of any call. Methods may be called from any thread and never block. */
public interface DriverEvents {

    /**
     * An error that the client survives. Counted by kind, reported in the result as a finding.
     *
     * @param kind a few words that stay the same for errors of one kind, such as {@code consumer poll}
     */
    void clientError(String kind, Throwable cause);

    /** An error after which the client cannot continue. Ends the run, which fails with this cause. */
    void fatal(Throwable cause);
}
