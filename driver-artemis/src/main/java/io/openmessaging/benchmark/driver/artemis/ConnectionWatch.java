package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/** Reports that a connection is lost and how long it was, unless it is being closed. Thread-safe. */
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

    /** From now on the end of the connection is no news. */
    void closing() {
        closing = true;
    }

    /** The client tries to connect again. */
    void lost(Throwable error) {
        if (!closing) {
            lostNs = System.nanoTime();
            loss = error;
            events.clientError("connection lost", sentence(error));
        }
    }

    /** The client has connected again. */
    void restored() {
        if (!closing) {
            events.clientError(
                    "reconnected",
                    new DriverException("A session with Artemis at " + address + " was cut off for "
                            + Duration.ofNanos(System.nanoTime() - lostNs).toMillis() + " ms"));
        }
    }

    /** The client does not try any more. */
    void gone(Throwable error) {
        if (!closing) {
            events.fatal(sentence(error));
        }
    }

    /**
     * The same error, with the reason if the connection was lost since then, though it may be there again: a broker that speaks
     * TLS closes connections of clients that do not, and the client connects again until the time is over. The connection is
     * asked whether it is open where the client told of no loss: it misses one that comes while it connects.
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
            // Only where the address limits the attempts, by reconnectAttempts.
            gone(error);
        }
    }

    @Override
    public void connectionFailed(ActiveMQException error, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        connectionFailed(error, failedOver);
    }
}
