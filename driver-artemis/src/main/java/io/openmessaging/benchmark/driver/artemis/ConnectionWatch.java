package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/** Reports that a connection is lost and how long it was, unless it is being closed. Thread-safe. */
final class ConnectionWatch implements SessionFailureListener {

    private static final long NS_PER_MS = 1_000_000;

    private final String address;
    private final DriverEvents events;
    private volatile boolean closing;
    private volatile long lostNs;

    ConnectionWatch(String address, DriverEvents events) {
        this.address = address;
        this.events = events;
    }

    /** From now on the end of the connection is no news. */
    void closing() {
        closing = true;
    }

    /** The client tries to connect again. */
    void lost(Throwable error) {
        if (!closing) {
            lostNs = System.nanoTime();
            events.clientError("connection lost", sentence(error));
        }
    }

    /** The client has connected again. */
    void restored() {
        if (!closing) {
            events.clientError(
                    "reconnected",
                    new DriverException("A session with Artemis at " + address + " was cut off for "
                            + (System.nanoTime() - lostNs) / NS_PER_MS + " ms"));
        }
    }

    /** The client does not try any more. */
    void gone(Throwable error) {
        if (!closing) {
            events.fatal(sentence(error));
        }
    }

    private DriverException sentence(Throwable error) {
        return new DriverException(
                "The connection to Artemis at " + address + " is lost: " + ArtemisCalls.reason(error), error);
    }

    @Override
    public void beforeReconnect(ActiveMQException error) {
        lost(error);
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver) {
        if (failedOver) {
            restored();
        } else {
            // Only where the address limits the attempts, by reconnectAttempts.
            gone(error);
        }
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        connectionFailed(error, failedOver);
    }
}
