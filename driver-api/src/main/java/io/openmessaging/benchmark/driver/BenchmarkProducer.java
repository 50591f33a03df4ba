package io.openmessaging.benchmark.driver;

import org.jspecify.annotations.Nullable;

/**
 * Publishes to one topic. {@link #send} and {@link #close()} are called by one thread at a time; a change of the
 * thread between calls has a happens-before edge.
 */
public interface BenchmarkProducer extends AutoCloseable {

    /**
     * Passes one message to the client and usually returns before the system has acknowledged it. May block while the
     * client's own buffers are full: that is the client's flow control, and the time is measured.
     *
     * <p>The callback is called exactly once for each call that returns normally, possibly before the return, and
     * never for another call. A refusal known at once is reported through the callback as well.
     *
     * @param key decides the partition: equal keys go to the same one; null lets the system choose, in such a way that
     *     all partitions are used
     * @param payload bytes of the message, see {@link PayloadOwnership}
     * @param callback receives the outcome of the message
     */
    void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException;

    /**
     * Sends what the client still holds, waits for it up to {@link DriverContext#timeout()}, and releases the client.
     * Every callback has been called when this returns; a message without an answer counts as failed. If the thread is
     * interrupted, this stops waiting, releases the client at once and leaves the interrupt status set.
     */
    @Override
    void close() throws DriverException;
}
