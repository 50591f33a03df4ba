package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/**
 * Why a session cannot be opened on a connection that the broker accepts and closes again, as one that speaks TLS does with
 * clients that do not: the client only tries again until the time is over.
 */
final class LastLoss implements SessionFailureListener {

    private volatile @Nullable ActiveMQException error;

    /** The same error, with the reason if there is one. */
    DriverException explain(DriverException late) {
        ActiveMQException loss = error;
        return loss == null
                ? late
                : new DriverException(
                        late.getMessage() + "; the connection was lost: " + ArtemisCalls.reason(loss), late);
    }

    @Override
    public void beforeReconnect(ActiveMQException cause) {
        error = cause;
    }

    @Override
    public void connectionFailed(ActiveMQException cause, boolean failedOver) {
        error = cause;
    }

    @Override
    public void connectionFailed(ActiveMQException cause, boolean failedOver, @Nullable String scaleDownTargetNodeId) {
        error = cause;
    }
}
