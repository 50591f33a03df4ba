package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;
import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.THREADS;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens AMQP connections, to the brokers in turn. A connection that is lost stays lost: what it carried has failed, and
 * a benchmark that went on without a word would measure something else.
 */
final class AmqpClients {

    /** An answer that takes longer will not come: a login takes milliseconds. */
    static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** For a request on a connection that works. */
    private static final Duration RPC_LIMIT = Duration.ofSeconds(15);

    private static final int SHUTDOWN_LIMIT_MS = 2_000;

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final List<AmqpUri> brokers;
    private int next;

    AmqpClients(RabbitMqConfig config, DriverContext context) {
        this.config = config;
        this.context = context;
        this.brokers = config.brokers();
    }

    /** The broker that the first connection goes to. */
    AmqpUri first() {
        return brokers.get(0);
    }

    /**
     * Opens a connection to the next broker. Its callbacks run on its reading thread: handing each message to another
     * thread costs more than what is done with it.
     *
     * @param role of the connection, part of its name
     */
    Connection open(String role, Deadline deadline) throws DriverException, InterruptedException {
        AmqpUri broker = brokers.get(next % brokers.size());
        String name = "benchmark-" + context.runId() + "-" + role + "-" + next++;
        ConnectionFactory factory = factory(broker, role, deadline);
        String attempt = "reach RabbitMQ at " + broker;
        Connection connection =
                CALLS.run(attempt, deadline, () -> connect(factory, name), AmqpClients::abort, () -> {});
        connection.addBlockedListener(blockedListener(broker));
        connection.addShutdownListener(signal -> {
            if (!signal.isInitiatedByApplication()) {
                context.events().clientError("connection lost", signal);
            }
        });
        return connection;
    }

    private static Connection connect(ConnectionFactory factory, String name) throws IOException, TimeoutException {
        return factory.newConnection(name);
    }

    private ConnectionFactory factory(AmqpUri broker, String role, Deadline deadline) throws DriverException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        factory.setUsername(broker.user());
        factory.setPassword(broker.password());
        factory.setVirtualHost(broker.vhost());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        int limitMs = deadline.leftMs(CONNECT_LIMIT);
        factory.setConnectionTimeout(limitMs);
        factory.setHandshakeTimeout(limitMs);
        factory.setChannelRpcTimeout((int)
                Math.min(RPC_LIMIT.toMillis(), Math.max(1, context.timeout().toMillis())));
        factory.setShutdownTimeout(SHUTDOWN_LIMIT_MS);
        factory.setThreadFactory(THREADS.named("rabbitmq-" + role));
        factory.setSharedExecutor(new CallingThread());
        factory.setExceptionHandler(new ReportedExceptions(context.events()));
        if (broker.tls()) {
            useTls(factory, broker);
        }
        return factory;
    }

    private void useTls(ConnectionFactory factory, AmqpUri broker) throws DriverException {
        try {
            factory.useSslProtocol(TlsContexts.jdk(config.tls()));
        } catch (GeneralSecurityException | IOException e) {
            throw CALLS.refused("read the stores of tls, for " + broker.address(), e);
        }
        if (config.tls().verifyHostname() && !config.tls().trustAll()) {
            factory.enableHostnameVerification();
        }
    }

    private BlockedListener blockedListener(AmqpUri broker) {
        return new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                context.events()
                        .clientError(
                                "connection blocked",
                                new DriverException(broker.address() + " takes no messages: " + reason));
            }

            @Override
            public void handleUnblocked() {
                // That it was blocked is what a result has to tell.
            }
        };
    }

    /** Closes a connection without waiting for long; it may be closed already. */
    static void abort(Connection connection) {
        connection.abort(SHUTDOWN_LIMIT_MS);
    }

    /** Closes several in the time of one. */
    static void abortAll(List<Connection> connections) {
        List<Thread> threads = new ArrayList<>();
        for (Connection connection : connections) {
            Thread thread = THREADS.daemon(() -> abort(connection), "rabbitmq-close");
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                // Each ends by itself after its own limit.
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs each task at once on the thread that brings it. */
    private static final class CallingThread extends AbstractExecutorService {

        private volatile boolean shutdown;

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutdown;
        }
    }
}
