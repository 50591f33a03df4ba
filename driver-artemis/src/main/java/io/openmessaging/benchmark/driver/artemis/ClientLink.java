package io.openmessaging.benchmark.driver.artemis;

import java.time.Duration;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.client.impl.ClientSessionFactoryInternal;
import org.apache.activemq.artemis.core.client.impl.ClientSessionInternal;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * A session and the connection it goes over.
 *
 * @param session used by one thread at a time, but for its end
 * @param connection its connection
 * @param ownsConnection whether no other session uses the connection
 */
record ClientLink(ClientSession session, Connection connection, boolean ownsConnection) {

    /**
     * A connection.
     *
     * @param factory what the client knows it as
     * @param watch told of losses, and before the connection is closed
     */
    record Connection(ClientSessionFactory factory, ConnectionWatch watch) {

        Connection {
            ((ClientSessionFactoryInternal) factory).addFailureListener(watch);
        }

        ClientSessionFactoryInternal internal() {
            return (ClientSessionFactoryInternal) factory;
        }

        boolean isOpen() {
            return internal().getConnection().getTransportConnection().isOpen();
        }

        /**
         * Cuts it for good, and does not wait for what follows from that. Were the wire only destroyed, calls that wait for
         * the broker would go on doing so, and messages stay without an answer. The session has the wire; a factory keeps it
         * to itself after its exit.
         */
        void cut(ClientSession session) {
            RemotingConnection wire = ((ClientSessionInternal) session).getConnection();
            watch.closing();
            internal().causeExit();
            ArtemisCalls.runWithin(
                    Duration.ZERO,
                    () -> wire.fail(new ActiveMQDisconnectedException("given up: the broker has not answered")));
        }

        /** Closes it and waits for that up to the limit, not hurried by an interrupt, which stays set. */
        void close(Duration limit) {
            watch.closing();
            ArtemisCalls.runWithin(limit, factory::close);
        }
    }

    /**
     * Ends the session, and the connection with it if it is its own. Not hurried by an interrupt, which stays set.
     *
     * @param limit how long the broker is waited for; after that the connection is cut
     */
    void close(Duration limit) {
        if (ownsConnection) {
            connection.watch().closing();
        }
        if (!ArtemisCalls.runWithin(limit, this::closeNow)) {
            connection.cut(session);
        }
    }

    private void closeNow() {
        try {
            session.close();
        } catch (ActiveMQException e) {
            // The session is of no use any more, and neither is its connection.
            connection.cut(session);
        }
        if (ownsConnection) {
            connection.factory().close();
        }
    }
}
