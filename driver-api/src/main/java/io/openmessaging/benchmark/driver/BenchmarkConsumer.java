package io.openmessaging.benchmark.driver;

/** Reads one topic for one subscription. Methods are called on a control thread. */
public interface BenchmarkConsumer extends AutoCloseable {

    /**
     * Stops delivery until {@link #resume()}, without leaving the subscription, so that a backlog builds up in the
     * system. What the client had already fetched may still be delivered for a moment.
     */
    void pause() throws DriverException, InterruptedException;

    /** Goes on where {@link #pause()} stopped. */
    void resume() throws DriverException, InterruptedException;

    /**
     * Leaves the subscription. The listener is not called any more once this has returned, which it does within
     * a few seconds. If the thread is interrupted, the interrupt status is left set.
     */
    @Override
    void close() throws DriverException;
}
