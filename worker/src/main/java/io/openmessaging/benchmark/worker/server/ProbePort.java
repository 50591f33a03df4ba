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

    /** From now on, only probes with this session's key are answered; an empty key is nobody's. */
    void admit(byte[] key);

    @Override
    void close();
}
