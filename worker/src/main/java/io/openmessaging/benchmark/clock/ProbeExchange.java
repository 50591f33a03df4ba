package io.openmessaging.benchmark.clock;

import java.io.IOException;

/** Asks a worker for its time over an existing connection, for networks that block datagrams. */
public interface ProbeExchange {

    /**
     * Times of the worker's clock, in epoch nanoseconds: the same clock that stamps its messages.
     *
     * @param receivedNs when it received the question
     * @param answeredNs when it answered
     */
    record Stamps(long receivedNs, long answeredNs) {}

    /** Returns the name of the connection in results, such as {@code HTTP}. */
    String name();

    /**
     * Asks, and waits a limited time for the answer. Called by one thread at a time, which does nothing else.
     *
     * @throws IOException if no answer arrived
     */
    Stamps ask() throws IOException, InterruptedException;
}
