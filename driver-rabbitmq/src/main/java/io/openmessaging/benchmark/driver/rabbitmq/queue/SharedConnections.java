package io.openmessaging.benchmark.driver.rabbitmq.queue;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.rabbitmq.connection.AmqpClients;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connections of one role, which are opened on demand and then used in turn. */
final class SharedConnections {

    private final AmqpClients amqp;
    private final @Nullable Integer home;
    private final String role;
    private final DriverContext context;
    private final int limit;
    private final List<RecoveringConnection> open = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Starts without open connections.
     *
     * @param home node to connect to, see {@link RecoveringConnection#open}; null for all in turn
     * @param limit largest number of connections
     */
    SharedConnections(AmqpClients amqp, @Nullable Integer home, String role, DriverContext context, int limit) {
        this.amqp = amqp;
        this.home = home;
        this.role = role;
        this.context = context;
        this.limit = limit;
    }

    /** Opens connections until each of this many new clients can have its own, up to the limit. */
    void open(int clients, Deadline deadline) throws DriverException, InterruptedException {
        int missing = Math.max(0, Math.min(limit - open.size(), clients));
        open.addAll(new ManyCalls<RecoveringConnection>(
                        CALLS,
                        "open connections for " + role,
                        ManyCalls.SEVERAL,
                        ManyCalls.each(connection -> AmqpClients.abort(connection.end())))
                .all(
                        Collections.nCopies(missing, home),
                        node -> RecoveringConnection.open(amqp, node, role, context, deadline),
                        deadline));
    }

    /** Thread-safe while no connections are being opened. */
    RecoveringConnection next() {
        return open.get(Math.floorMod(next.getAndIncrement(), open.size()));
    }

    Stream<RecoveringConnection> stream() {
        return open.stream();
    }
}
