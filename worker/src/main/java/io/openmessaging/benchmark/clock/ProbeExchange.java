package io.openmessaging.benchmark.clock;

import java.io.IOException;

/** Asks a worker for its time over a connection that there is anyway, where datagrams do not come through. */
public interface ProbeExchange {

    /**
     * Times of the worker's clock, in epoch nanoseconds: the same clock that stamps its messages.
     *
     * @param receivedNs when it had the question
     * @param answeredNs when it answered
     */
    record Stamps(long receivedNs, long answeredNs) {}

    /** What results call the connection, such as {@code HTTP}. */
    String name();

    /**
     * Asks, and waits for the answer for a bounded time; called by one thread at a time, which does nothing else.
     *
     * @throws IOException if none came
     */
    Stamps ask() throws IOException, InterruptedException;
}
