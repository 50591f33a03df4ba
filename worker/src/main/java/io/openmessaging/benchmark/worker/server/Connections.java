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
 * All connections of the server: no more than a limit, and none that takes longer for a request than it may. Where there are
 * too many, one goes that has never belonged to a session, so that strangers cannot keep the coordinator out. Thread-safe.
 */
final class Connections implements Connection.Listener {

    /** One connection. */
    private static final class Known {

        final long openedNs;

        /** Since when a request is waited for. */
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

    /** By one thread at a time: two would take the same one for the one that has to go. */
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

    /** A request has come, as a whole. */
    void received(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.waiting = false;
        }
    }

    /** It belongs to a session. */
    void trust(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.trusted = true;
        }
    }

    /** It has been answered. */
    void answered(Connection connection) {
        Known known = open.get(connection);
        if (known != null) {
            known.waitingSinceNs = nanoTime.getAsLong();
            known.waiting = true;
        }
    }

    /** Closes those that have taken too long for a request. */
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
