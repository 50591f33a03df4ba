package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/** Reports that a connection is lost and how long it was, unless it is being closed. */
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

    @Override
    public void beforeReconnect(ActiveMQException error) {
        if (!closing) {
            lostNs = System.nanoTime();
            events.clientError("connection lost", lost(error));
        }
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver) {
        if (closing) {
            return;
        }
        if (failedOver) {
            events.clientError(
                    "reconnected",
                    new DriverException("A session with Artemis at " + address + " was cut off for "
                            + (System.nanoTime() - lostNs) / NS_PER_MS + " ms"));
        } else {
            // Only where the address limits the attempts, by reconnectAttempts.
            events.fatal(lost(error));
        }
    }

    private DriverException lost(ActiveMQException error) {
        return new DriverException(
                "The connection to Artemis at " + address + " is lost: " + ArtemisCalls.reason(error), error);
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        connectionFailed(error, failedOver);
    }
}
