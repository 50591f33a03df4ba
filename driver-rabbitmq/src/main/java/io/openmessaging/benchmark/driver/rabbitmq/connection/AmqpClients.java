package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;
import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.THREADS;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rabbitmq.config.AmqpUri;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Opens AMQP connections to the brokers in turn, skipping brokers that do not answer. Thread-safe. */
public final class AmqpClients {

    /** Limit for an answer: a login takes milliseconds, so later answers will not come. */
    public static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** Limit for a request on a working connection, when there is little to create. */
    private static final Duration RPC_LIMIT = Duration.ofSeconds(15);

    /** A broker that creates much answers slowly, so this limit grows with that of a control call. */
    private static final int RPC_PART = 10;

    private static final int SHUTDOWN_LIMIT_MS = 2_000;

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final List<AmqpUri> brokers;

    /** Next broker in turn. */
    private final AtomicInteger next = new AtomicInteger();

    private final AtomicInteger attempts = new AtomicInteger();

    /** Connects to the brokers of a configuration. */
    public AmqpClients(RabbitMqConfig config, DriverContext context) {
        this.config = config;
        this.context = context;
        this.brokers = config.brokers();
    }

    /**
     * Opens a connection to the first broker that answers. Its callbacks run on its reading thread: passing each
     * message to another thread costs more than processing it.
     *
     * @param home place in {@code amqpUris} of the broker that is tried first; null for the next one in turn
     * @param role the role of the connection, part of its name
     * @throws DriverException if no broker answers, with the last broker's reason
     */
    public Connection open(@Nullable Integer home, String role, Deadline deadline)
            throws DriverException, InterruptedException {
        for (int tried = 0; ; tried++) {
            int broker = home == null ? next.getAndIncrement() : home + tried;
            try {
                return open(brokers.get(Math.floorMod(broker, brokers.size())), role, deadline);
            } catch (DriverException e) {
                if (tried + 1 >= brokers.size()) {
                    throw e;
                }
                context.events().clientError("broker not reached", e);
            }
        }
    }

    private Connection open(AmqpUri broker, String role, Deadline deadline)
            throws DriverException, InterruptedException {
        String name = "benchmark-" + context.runId() + "-" + role + "-" + attempts.getAndIncrement();
        ConnectionFactory factory = factory(broker, role, deadline);
        String attempt = "reach RabbitMQ at " + broker;
        Connection connection =
                CALLS.run(attempt, deadline, () -> factory.newConnection(name), AmqpClients::abort, () -> {});
        connection.addBlockedListener(
                reason -> context.events()
                        .clientError(
                                "connection blocked",
                                new DriverException(broker.address() + " accepts no messages: " + reason)),
                () -> {});
        connection.addShutdownListener(signal -> {
            if (!signal.isInitiatedByApplication()) {
                context.events().clientError("connection lost", signal);
            }
        });
        return connection;
    }

    /**
     * Limit for one request.
     *
     * @param controlCall limit for a call of the driver, which the harness extends with the number of things to create
     */
    public static Duration rpcLimit(Duration controlCall) {
        Duration part = controlCall.dividedBy(RPC_PART);
        Duration limit = part.compareTo(RPC_LIMIT) > 0 ? part : RPC_LIMIT;
        return limit.compareTo(controlCall) < 0 ? limit : controlCall;
    }

    private ConnectionFactory factory(AmqpUri broker, String role, Deadline deadline) throws DriverException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        factory.setUsername(broker.user());
        factory.setPassword(broker.password());
        factory.setVirtualHost(broker.vhost());
        // RecoveringConnection does this.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        int limitMs = deadline.leftMs(CONNECT_LIMIT);
        factory.setConnectionTimeout(limitMs);
        factory.setHandshakeTimeout(limitMs);
        factory.setChannelRpcTimeout((int) rpcLimit(context.timeout()).toMillis());
        factory.setShutdownTimeout(SHUTDOWN_LIMIT_MS);
        factory.setThreadFactory(THREADS.named("rabbitmq-" + role));
        factory.setSharedExecutor(ImmediateEventExecutor.INSTANCE);
        factory.setExceptionHandler(new ReportedExceptions());
        if (broker.tls()) {
            try {
                factory.useSslProtocol(config.tls().context());
            } catch (GeneralSecurityException | IOException e) {
                throw CALLS.refused("read the key store or trust store of tls, for " + broker.address(), e);
            }
            if (config.tls().verifiesHostname()) {
                factory.enableHostnameVerification();
            }
            if (config.tls().login()) {
                factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
            }
        }
        return factory;
    }

    /** Counts errors that amqp-client would only log, and leaves their handling to it. */
    private final class ReportedExceptions extends DefaultExceptionHandler {

        @Override
        public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
            context.events().clientError("connection driver", exception);
        }

        @Override
        public void handleConfirmListenerException(Channel channel, Throwable exception) {
            context.events().clientError("confirm listener", exception);
            super.handleConfirmListenerException(channel, exception);
        }

        @Override
        public void handleConsumerException(
                Channel channel, Throwable exception, Consumer consumer, String consumerTag, String methodName) {
            context.events().clientError("consumer", exception);
            super.handleConsumerException(channel, exception, consumer, consumerTag, methodName);
        }
    }

    /** Closes a connection without waiting long; it may be closed already. */
    public static void abort(Connection connection) {
        connection.abort(SHUTDOWN_LIMIT_MS);
    }

    /** Closes several connections in the time of one; each ends by itself after its own limit. */
    public static void abortAll(List<Connection> connections) {
        Executor threads = task -> THREADS.daemon(task, "rabbitmq-close").start();
        CompletableFuture.allOf(connections.stream()
                        .map(connection -> CompletableFuture.runAsync(() -> abort(connection), threads))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
