package io.openmessaging.benchmark.driver;

import org.jspecify.annotations.Nullable;

/**
 * Publishes to one topic. {@link #send} and {@link #close()} are called by one thread at a time, which may change
 * between calls only with a happens-before edge.
 */
public interface BenchmarkProducer extends AutoCloseable {

    /**
     * Hands one message to the client and returns, as a rule before the system has acknowledged it. May block while the
     * client's own buffers are full: that is the client's flow control, and the time is measured.
     *
     * <p>For each call that returns normally, and for no other, the callback is called exactly once, possibly before
     * the return. A refusal known at once is reported through the callback as well.
     *
     * @param key decides the partition: equal keys go to the same one; null lets the system choose, in such a way that
     *     all partitions are used
     * @param payload the message's bytes, see {@link PayloadOwnership}
     * @param callback told what became of the message
     */
    void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException;

    /**
     * Sends what the client still holds, waits for it up to {@link DriverContext#timeout()}, and releases the client.
     * Every callback has been called when this returns: those of messages without an answer with a failure. If
     * the thread is interrupted, this stops waiting, releases the client at once and leaves the interrupt status set.
     */
    @Override
    void close() throws DriverException;
}
