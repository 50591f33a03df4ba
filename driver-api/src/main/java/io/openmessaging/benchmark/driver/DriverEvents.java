package io.openmessaging.benchmark.driver;

/**
 * Receives what a driver reports besides the results of calls, above all errors that occur in a client outside of any
 * call. Methods may be called from any thread and never block.
 */
public interface DriverEvents {

    /**
     * Reports an error that the client survives. Errors are counted by kind and reported in the result as a finding.
     *
     * @param kind a few words that stay the same for errors of one kind, such as {@code consumer poll}
     */
    void clientError(String kind, Throwable cause);

    /** Reports an error after which the client cannot continue. The run ends and fails with this cause. */
    void fatal(Throwable cause);

    /**
     * Reports what a control call waits for, if that takes seconds: the user sees it. Called by the thread of the call.
     *
     * @param what a few words that follow "waits for"
     */
    default void waits(String what) {}
}
