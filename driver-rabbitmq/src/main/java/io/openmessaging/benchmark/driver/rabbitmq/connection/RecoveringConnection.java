package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.THREADS;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP connection that several clients share and that is replaced when lost. A client whose channel was closed
 * requests a new one with {@link #recover}; a thread of this connection connects to the next broker that answers, and
 * gives each client its channel. It retries until the end of the run.
 *
 * <p>It does not use amqp-client's recovery, which gives a producer its new channel at a moment unknown to the sending
 * thread: one message more or less before {@code confirm.select} would shift the numbers of all later confirms. Nor
 * does that reopen a single channel that the broker closed.
 *
 * <p>Thread-safe.
 */
public final class RecoveringConnection {

    /** Short compared to the start of a broker, long compared to an attempt. */
    private static final long RETRY_MS = 200;

    private static final long NS_PER_MS = 1_000_000;

    /** A producer or a consumer with a channel of its own. */
    public interface Client {

        /**
         * Uses a new channel from now on. Called by one thread at a time.
         *
         * @param channel the channel that the client must close, unless this throws
         */
        void attach(Channel channel) throws IOException;
    }

    private final AmqpClients amqp;

    /** The node that is tried first; null for the next one in turn. */
    private final @Nullable Integer home;

    private final String role;
    private final DriverContext context;

    /** Held while a connection is opened. */
    private final Object opening = new Object();

    private Connection connection;
    private final Set<Client> waiting = new LinkedHashSet<>();
    private @Nullable Thread recovery;
    private boolean closed;

    private RecoveringConnection(
            AmqpClients amqp, @Nullable Integer home, String role, DriverContext context, Connection connection) {
        this.amqp = amqp;
        this.home = home;
        this.role = role;
        this.context = context;
        this.connection = connection;
    }

    /**
     * Opens a connection to a node, or to another one if that does not answer. Replacements do the same.
     *
     * @param home place of the node in {@code amqpUris}; null for the next one in turn
     * @param role the role of the connection, part of its name
     */
    public static RecoveringConnection open(
            AmqpClients amqp, @Nullable Integer home, String role, DriverContext context, Deadline deadline)
            throws DriverException, InterruptedException {
        return new RecoveringConnection(amqp, home, role, context, amqp.open(home, role, deadline));
    }

    /** The current connection, which may be lost. */
    public synchronized Connection current() {
        return connection;
    }

    /** A connection that works as far as is known; opens a new one if necessary. */
    private Connection working() throws DriverException, InterruptedException {
        synchronized (opening) {
            Connection last = current();
            return last.isOpen() ? last : replacement();
        }
    }

    private Connection replacement() throws DriverException, InterruptedException {
        Connection fresh = amqp.open(home, role, Deadline.in(AmqpClients.CONNECT_LIMIT));
        synchronized (this) {
            if (!closed) {
                connection = fresh;
                return fresh;
            }
        }
        AmqpClients.abort(fresh);
        throw new DriverException("The connection is closed");
    }

    /** Runs a task on a channel of its own. */
    public void on(Channels.Task task) throws Exception {
        Channels.on(working(), task);
    }

    /** Gives a client its first channel. */
    public <T extends Client> T attached(T client) throws IOException {
        attach(client, current());
        return client;
    }

    private static void attach(Client client, Connection connection) throws IOException {
        Channel channel = Channels.open(connection);
        try {
            client.attach(channel);
        } catch (IOException | ShutdownSignalException e) {
            Channels.close(channel);
            throw e;
        }
    }

    /** Gives a client a new channel as soon as possible. */
    public synchronized void recover(Client client) {
        if (closed) {
            return;
        }
        waiting.add(client);
        if (recovery == null) {
            long lostNs = System.nanoTime();
            recovery = THREADS.daemon(() -> recoverAll(lostNs), "rabbitmq-recovery");
            recovery.start();
        }
    }

    // Recovery thread

    private void recoverAll(long lostNs) {
        try {
            while (!(allRecovered() && isDone())) {
                synchronized (this) {
                    wait(RETRY_MS);
                }
            }
            long gapMs = (System.nanoTime() - lostNs) / NS_PER_MS;
            context.events()
                    .clientError(
                            "reconnected",
                            new DriverException("The " + role + " of a connection to "
                                    + current().getAddress().getHostAddress() + ":"
                                    + current().getPort() + " were cut off for " + gapMs + " ms"));
        } catch (InterruptedException e) {
            // The connection was closed.
        } catch (RuntimeException e) {
            // No other thread would recover the clients.
            context.events().fatal(e);
        }
    }

    private boolean allRecovered() throws InterruptedException {
        Connection working;
        try {
            working = working();
        } catch (DriverException e) {
            context.events().clientError("reconnect", e);
            return false;
        }
        boolean all = true;
        for (Client client : takeWaiting()) {
            try {
                attach(client, working);
            } catch (IOException | ShutdownSignalException e) {
                all = false;
                context.events()
                        .clientError("reconnect", RabbitMqCalls.CALLS.refused("continue with a new channel", e));
                putBack(client);
            }
        }
        return all;
    }

    private synchronized List<Client> takeWaiting() {
        List<Client> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    private synchronized void putBack(Client client) {
        waiting.add(client);
    }

    private synchronized boolean isDone() {
        if (!waiting.isEmpty()) {
            return false;
        }
        recovery = null;
        return true;
    }

    /** Ends recovery for good and returns the connection, which the caller must close. */
    public synchronized Connection end() {
        closed = true;
        if (recovery != null) {
            recovery.interrupt();
        }
        return connection;
    }
}
