package io.openmessaging.benchmark.worker.server;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/**
 * All connections of the server. Limits their number and the time that each may take for a request. If there are too
 * many, one that never belonged to a session is closed, so that strangers cannot keep the coordinator out.
 * Thread-safe.
 */
final class Connections implements Connection.Listener {

    private static final class Known {

        final long openedNs;

        /** Start of the current wait for a request. */
        volatile long waitingSinceNs;

        volatile boolean waiting = true;
        volatile boolean trusted;

        Known(long openedNs) {
            this.openedNs = openedNs;
            this.waitingSinceNs = openedNs;
        }
    }

    private final Map<Connection, Known> open = new ConcurrentHashMap<>();
    private final int most;
    private final Duration requestTime;
    private final LongSupplier nanoTime;

    Connections(ServerCaps caps, LongSupplier nanoTime) {
        this.most = caps.of(ServerCap.CONNECTIONS);
        this.requestTime = caps.time(ServerCap.REQUEST_MS);
        this.nanoTime = nanoTime;
    }

    @Override
    public void onOpened(Connection connection) {
        // With TLS there are two for one socket; requests belong to the other.
        if (connection instanceof SslConnection) {
            return;
        }
        open.put(connection, new Known(nanoTime.getAsLong()));
        makeRoom(connection);
    }

    /** Synchronized: two threads would both select the same connection to be closed. */
    private synchronized void makeRoom(Connection latest) {
        while (open.size() > most) {
            Optional<Connection> stranger = open.entrySet().stream()
                    .filter(entry -> !entry.getValue().trusted)
                    .min(Comparator.comparingLong(entry -> entry.getValue().openedNs))
                    .map(Map.Entry::getKey);
            close(stranger.orElse(latest), "too many connections");
        }
    }

    @Override
    public void onClosed(Connection connection) {
        open.remove(connection);
    }

    private void close(Connection connection, String why) {
        open.remove(connection);
        connection.getEndPoint().close(new TimeoutException(why));
    }

    /** Notes that a complete request has arrived. */
    void received(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.waiting = false;
        }
    }

    /** Notes that the connection belongs to a session. */
    void trust(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.trusted = true;
        }
    }

    /** Notes that the request was answered. */
    void answered(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.waitingSinceNs = nanoTime.getAsLong();
            known.waiting = true;
        }
    }

    /** Closes connections that have taken too long for a request. */
    void closeLate() {
        long nowNs = nanoTime.getAsLong();
        open.forEach((connection, known) -> {
            if (known.waiting && nowNs - known.waitingSinceNs > requestTime.toNanos()) {
                close(connection, "no request within " + requestTime.toMillis() + " ms");
            }
        });
    }

    int count() {
        return open.size();
    }
}
