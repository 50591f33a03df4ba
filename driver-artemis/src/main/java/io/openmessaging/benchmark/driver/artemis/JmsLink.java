package io.openmessaging.benchmark.driver.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;

/**
 * A JMS connection with the one session that it has.
 *
 * @param wire the connection
 * @param session used by one thread at a time
 */
record JmsLink(JmsSystem.Wire wire, Session session) {

    /** On a connection that is taken over. */
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
     * Ends both. Not hurried by an interrupt, which stays set.
     *
     * @param limit how long the broker is waited for; after that the connection is cut
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
            // The connection is of no use any more.
            wire.cut().run();
        }
    }
}
