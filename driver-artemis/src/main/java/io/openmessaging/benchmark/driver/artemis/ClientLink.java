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
 * A session and its connection.
 *
 * @param session the session; used by one thread at a time, except for its end
 * @param connection the connection of the session
 * @param ownsConnection true if no other session uses the connection
 */
record ClientLink(ClientSession session, Connection connection, boolean ownsConnection) {

    /**
     * A connection.
     *
     * @param factory the client's object for the connection
     * @param watch the watch to notify of losses, and before closing
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
         * Cuts the connection for good, without waiting for the effects. If only the wire were destroyed, calls that
         * wait for the broker would keep waiting, and messages would stay unanswered. The session provides the wire,
         * which a factory hides after its exit.
         */
        void cut(ClientSession session) {
            RemotingConnection wire = ((ClientSessionInternal) session).getConnection();
            watch.closing();
            internal().causeExit();
            ArtemisCalls.runWithin(
                    Duration.ZERO,
                    () -> wire.fail(new ActiveMQDisconnectedException("given up: the broker has not answered")));
        }

        /** Closes the connection; waits up to the limit. An interrupt does not shorten the wait, and stays set. */
        void close(Duration limit) {
            watch.closing();
            ArtemisCalls.runWithin(limit, factory::close);
        }
    }

    /**
     * Ends the session, and the connection if it is the session's own. An interrupt does not shorten the wait, and
     * stays set.
     *
     * @param limit time to wait for the broker; after that the connection is cut
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
            // The session is no longer usable, and neither is its connection.
            connection.cut(session);
        }
        if (ownsConnection) {
            connection.factory().close();
        }
    }
}
