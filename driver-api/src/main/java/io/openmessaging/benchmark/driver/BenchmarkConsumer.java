package io.openmessaging.benchmark.driver;

/** Reads one topic for one subscription. Methods are called on a control thread. */
public interface BenchmarkConsumer extends AutoCloseable {

    /**
     * Stops delivery until {@link #resume()} without leaving the subscription, so that a backlog builds up in the
     * system. Messages that the client has already fetched may still be delivered for a moment.
     */
    void pause() throws DriverException, InterruptedException;

    /** Continues where {@link #pause()} stopped. */
    void resume() throws DriverException, InterruptedException;

    /**
     * Leaves the subscription. Returns within a few seconds; the listener is not called after that. If the thread is
     * interrupted, the interrupt status is left set.
     */
    @Override
    void close() throws DriverException;
}
