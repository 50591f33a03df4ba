package io.openmessaging.benchmark.driver.artemis;

import java.time.Duration;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * A session and the connection it goes over.
 *
 * @param session used by one thread at a time, but for its end
 * @param connection its connection
 * @param wire the same, to cut it
 * @param watch told before the connection is closed
 * @param ownsConnection whether no other session uses the connection
 * @param threads where the end is waited for
 */
record ClientLink(
        ClientSession session,
        ClientSessionFactory connection,
        RemotingConnection wire,
        ConnectionWatch watch,
        boolean ownsConnection,
        ClientThreads threads) {

    /**
     * Ends the session, and the connection with it if it is its own. Not hurried by an interrupt, which stays set.
     *
     * @param limit how long the broker is waited for; after that the connection is cut
     */
    void close(Duration limit) {
        if (ownsConnection) {
            watch.closing();
        }
        if (!threads.runWithin(limit, this::closeNow)) {
            wire.destroy();
        }
    }

    private void closeNow() {
        try {
            session.close();
        } catch (ActiveMQException e) {
            // The session is of no use any more, and its connection is cut below.
            wire.destroy();
        }
        if (ownsConnection) {
            connection.close();
        }
    }
}
