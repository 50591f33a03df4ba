package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/** Reports losses of a connection and their duration, unless it is being closed. Thread-safe. */
final class ConnectionWatch implements SessionFailureListener {

    private final String address;
    private final DriverEvents events;
    private volatile boolean closing;
    private volatile long lostNs;
    private volatile @Nullable Throwable loss;

    ConnectionWatch(String address, DriverEvents events) {
        this.address = address;
        this.events = events;
    }

    /** Stops reports: from now on, the end of the connection is expected. */
    void closing() {
        closing = true;
    }

    /** Reports a loss; the client tries to reconnect. */
    void lost(Throwable error) {
        if (!closing) {
            lostNs = System.nanoTime();
            loss = error;
            events.clientError("connection lost", sentence(error));
        }
    }

    /** Reports that the client has reconnected. */
    void restored() {
        if (!closing) {
            events.clientError(
                    "reconnected",
                    new DriverException("A session with Artemis at " + address + " was disconnected for "
                            + Duration.ofNanos(System.nanoTime() - lostNs).toMillis() + " ms"));
        }
    }

    /** Reports that the client has stopped trying to reconnect. */
    void gone(Throwable error) {
        if (!closing) {
            events.fatal(sentence(error));
        }
    }

    /**
     * Adds the reason to a timeout if the connection was lost meanwhile, even if it is back: a broker that requires TLS
     * closes connections of clients without it, and the client reconnects until the timeout. If the client reported no
     * loss, this checks whether the connection is open: the client misses a loss that happens while it connects.
     */
    DriverException explain(DriverException late, long sinceNs, BooleanSupplier open) {
        Throwable reason = lostNs - sinceNs < 0 ? null : loss;
        if (reason == null && open.getAsBoolean()) {
            return late;
        }
        String why = reason == null ? "closed by the other side" : ArtemisCalls.reason(reason);
        return new DriverException(late.getMessage() + "; the connection was lost: " + why, late);
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
            // Only if the address limits the attempts with reconnectAttempts.
            gone(error);
        }
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        connectionFailed(error, failedOver);
    }
}
