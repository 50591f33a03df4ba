package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/** Reports that a connection is lost, unless it is being closed. */
final class ConnectionWatch implements SessionFailureListener {

    private final String address;
    private final DriverEvents events;
    private volatile boolean closing;

    ConnectionWatch(String address, DriverEvents events) {
        this.address = address;
        this.events = events;
    }

    /** From now on the end of the connection is no news. */
    void closing() {
        closing = true;
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver) {
        if (closing) {
            return;
        }
        if (failedOver) {
            // Only where the address asks for it, by reconnectAttempts.
            events.clientError("connection lost and made again", error);
        } else {
            events.fatal(new DriverException(
                    "The connection to Artemis at " + address + " is lost: " + ArtemisCalls.reason(error), error));
        }
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        connectionFailed(error, failedOver);
    }

    @Override
    public void beforeReconnect(ActiveMQException error) {
        // What becomes of it is told by the other methods.
    }
}
