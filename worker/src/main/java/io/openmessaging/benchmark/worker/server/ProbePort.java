package io.openmessaging.benchmark.worker.server;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Answers the clock probes of the session that has the worker, by UDP. */
public interface ProbePort extends AutoCloseable {

    /** Opens one. */
    @FunctionalInterface
    interface Opener {

        /**
         * Begins to listen.
         *
         * @param address the one that the server listens on; the port has the same number
         * @throws IOException if it cannot listen there
         */
        ProbePort open(InetSocketAddress address) throws IOException;
    }

    /** From now on, probes under this session's key are answered, and no others. */
    void answer(byte[] key);

    /** From now on, none are. */
    void answerNobody();

    @Override
    void close();
}
