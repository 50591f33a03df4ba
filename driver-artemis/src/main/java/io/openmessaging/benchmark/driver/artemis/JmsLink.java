package io.openmessaging.benchmark.driver.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;

/**
 * A JMS connection and its only session.
 *
 * @param wire the connection
 * @param session the session; used by one thread at a time
 */
record JmsLink(JmsSystem.Wire wire, Session session) {

    /** Opens a session; takes ownership of the connection. */
    static JmsLink on(JmsSystem.Wire wire, int acknowledgeMode) throws JMSException {
        try {
            return new JmsLink(wire, wire.jms().createSession(false, acknowledgeMode));
        } catch (Throwable e) {
            wire.watch().closing();
            wire.cut().run();
            throw e;
        }
    }

    /**
     * Ends both. An interrupt does not shorten the wait, and stays set.
     *
     * @param limit time to wait for the broker; after that the connection is cut
     */
    void close(Duration limit) {
        wire.watch().closing();
        if (!ArtemisCalls.runWithin(limit, this::closeNow)) {
            wire.cut().run();
        }
    }

    private void closeNow() {
        try {
            wire.jms().close();
        } catch (JMSException e) {
            // The connection is no longer usable.
            wire.cut().run();
        }
    }
}
