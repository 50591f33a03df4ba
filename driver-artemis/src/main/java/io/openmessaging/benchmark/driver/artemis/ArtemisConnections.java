package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.artemis.ClientLink.Connection;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.client.impl.ClientSessionFactoryInternal;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;

/** Creates the connections and sessions of one run. Used by the control thread. */
final class ArtemisConnections implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    /** Short compared to the start of a broker, long compared to an attempt. */
    private static final long RETRY_MS = 200;

    private static final boolean NO_XA = false;
    private static final boolean COMMIT_ACKS = true;

    private final ArtemisConfig config;
    private final DriverContext context;
    private final Side producers;
    private final Side consumers;
    private final BrokerAddress address;

    private int next;

    /** Producers or consumers. */
    private final class Side {

        final ServerLocator locator;

        /** Null until first used. */
        @Nullable
        Connection shared;

        Side(ServerLocator locator) {
            this.locator = locator;
        }

        ClientLink session(boolean commitSends) throws DriverException, InterruptedException {
            if (!config.sharedConnection()) {
                return open(connect(locator), true, commitSends);
            }
            if (shared == null) {
                shared = connect(locator);
            }
            return open(shared, false, commitSends);
        }

        void close() {
            if (shared != null) {
                shared.watch().closing();
            }
            locator.close();
        }
    }

    /** Does not connect yet. */
    ArtemisConnections(ArtemisConfig config, DriverContext context) throws DriverException, InterruptedException {
        this.config = config;
        this.context = context;
        this.address = BrokerAddress.parse(config.brokerAddress());
        this.producers = new Side(locator()
                .setMinLargeMessageSize(config.minLargeMessageSize())
                .setConfirmationWindowSize(config.confirmationWindowSize())
                .setBlockOnDurableSend(config.blockOnDurableSend())
                .setBlockOnNonDurableSend(config.blockOnDurableSend()));
        // Only management requests are sent on this side.
        this.consumers = new Side(locator()
                .setConfirmationWindowSize(-1)
                .setBlockOnDurableSend(true)
                .setBlockOnNonDurableSend(true));
    }

    private ServerLocator locator() throws DriverException, InterruptedException {
        ServerLocator locator = CALLS.ask(
                "read the address " + config.brokerAddress(),
                deadline(),
                () -> ActiveMQClient.createServerLocator(address.failingOver().text()));
        for (TransportConfiguration broker : locator.getStaticTransportConfigurations()) {
            broker.getParams().put(TransportConstants.NETTY_CONNECT_TIMEOUT, (int)
                    context.timeout().toMillis());
            if (config.tls() != null) {
                broker.getParams().putAll(config.tls().transportParameters());
            }
        }
        if (!config.brokerAddress().contains("reconnectAttempts")) {
            // A run must survive a restart of its broker.
            locator.setReconnectAttempts(-1).setRetryInterval(RETRY_MS);
        }
        // Use thread pools of our own: the global ones would outlive the connection.
        return locator.setUseGlobalPools(false)
                .setCallTimeout(context.timeout().toMillis())
                .setProducerWindowSize(config.producerWindowSize())
                .setConsumerWindowSize(config.consumerWindowSize())
                // A compressed message is a copy, whose acknowledgement the sender would not recognise.
                .setCompressLargeMessage(false);
    }

    /** Locator for another client that connects like the core client. Closed with these connections. */
    ServerLocator locator(boolean ofProducers) {
        return (ofProducers ? producers : consumers).locator;
    }

    /** All brokers, for messages about any one of them. */
    String nodes() {
        return String.join(",", address.hostsAndPorts());
    }

    /** Opens a session for control requests, with a connection of its own. */
    ClientLink forControl() throws DriverException, InterruptedException {
        return open(connect(consumers.locator), true, true);
    }

    /** Opens a session for sending. */
    ClientLink forProducer() throws DriverException, InterruptedException {
        return producers.session(config.transaction() == null);
    }

    /** Opens a session for receiving, without starting it. */
    ClientLink forConsumer() throws DriverException, InterruptedException {
        return consumers.session(true);
    }

    /** Throws the reason if the broker does not listen: the client only reports that there is no connection. */
    private void awaitListening(String address) throws DriverException, InterruptedException {
        InetSocketAddress target = BrokerAddress.socketAddress(address);
        if (target.isUnresolved()) {
            throw new DriverException("Could not reach Artemis at " + address + ": the host name cannot be resolved");
        }
        try (SocketChannel channel = SocketChannel.open()) {
            channel.socket().connect(target, (int) context.timeout().toMillis());
        } catch (ClosedByInterruptException e) {
            // The exception replaces the interrupt status.
            Thread.interrupted();
            throw new InterruptedException("Interrupted while connecting to " + address);
        } catch (IOException e) {
            throw new DriverException("Could not reach Artemis at " + address + ": " + e.getMessage(), e);
        }
    }

    /** Connects to the brokers in turn, skipping brokers that do not answer. */
    private Connection connect(ServerLocator locator) throws DriverException, InterruptedException {
        Map<String, DriverException> unreached = new TreeMap<>();
        for (int left = address.hostsAndPorts().size(); ; left--) {
            int index = next++ % address.hostsAndPorts().size();
            try {
                Connection connection = connect(locator, index);
                report(unreached, locator, connection);
                return connection;
            } catch (DriverException e) {
                if (left <= 1) {
                    throw e;
                }
                unreached.put(address.hostsAndPorts().get(index), e);
            }
        }
    }

    /** Reports unreached brokers, except backups: they do not answer before they take over. */
    private void report(Map<String, DriverException> unreached, ServerLocator locator, Connection connection)
            throws DriverException, InterruptedException {
        if (unreached.isEmpty()) {
            return;
        }
        CALLS.run(
                "discover the backups of Artemis",
                deadline(),
                () -> connection.internal().waitForTopology(context.timeout().toMillis(), TimeUnit.MILLISECONDS));
        locator.getTopology().getMembers().stream()
                .flatMap(member -> Stream.ofNullable(member.getBackup()))
                .flatMap(backup -> address.named(backup).stream())
                .forEach(unreached::remove);
        unreached.values().forEach(e -> context.events().clientError("broker not reached", e));
    }

    private Connection connect(ServerLocator locator, int index) throws DriverException, InterruptedException {
        TransportConfiguration broker = locator.getStaticTransportConfigurations()[index];
        String address = this.address.hostsAndPorts().get(index);
        awaitListening(address);
        ClientSessionFactory factory = CALLS.run(
                "connect to Artemis at " + address,
                deadline(),
                () -> connectOnce(locator, broker, address),
                ClientSessionFactory::close,
                () -> {});
        return new Connection(factory, new ConnectionWatch(address, context.events()));
    }

    /** Tries only once: a broker that listens but rejects the client will not accept it later either. */
    private ClientSessionFactory connectOnce(ServerLocator locator, TransportConfiguration broker, String address)
            throws Exception {
        try {
            ClientSessionFactory factory = locator.createSessionFactory(broker, 1);
            ((ClientSessionFactoryInternal) factory).setReconnectAttempts(locator.getReconnectAttempts());
            return factory;
        } catch (ActiveMQNotConnectedException e) {
            // The client's error only contains the transport configuration.
            throw new DriverException(
                    "Could not connect to Artemis at " + address + ": it listens, but refuses the client"
                            + (config.tls() == null ? "" : "; is its certificate trusted?"),
                    e);
        }
    }

    private Deadline deadline() {
        return Deadline.in(context.timeout());
    }

    private ClientLink open(Connection connection, boolean own, boolean commitSends)
            throws DriverException, InterruptedException {
        try {
            return new ClientLink(createSession(connection, commitSends), connection, own);
        } catch (Throwable e) {
            if (own) {
                connection.close(CLOSE_LIMIT);
            }
            throw e;
        }
    }

    /** Opens a session; one that opens too late ends with its connection. */
    private ClientSession createSession(Connection connection, boolean commitSends)
            throws DriverException, InterruptedException {
        String login = config.user() == null ? "" : " as '" + config.user() + "'";
        long startNs = System.nanoTime();
        try {
            return CALLS.ask(
                    "open a session with Artemis at " + nodes() + login,
                    deadline(),
                    () -> connection
                            .factory()
                            .createSession(
                                    config.user(),
                                    config.password(),
                                    NO_XA,
                                    commitSends,
                                    COMMIT_ACKS,
                                    config.autoAck(),
                                    config.ackBatchSize()));
        } catch (DriverException e) {
            throw connection.watch().explain(e, startNs, connection::isOpen);
        }
    }

    /** Closes all remaining connections. An interrupt does not shorten the wait, and stays set. */
    @Override
    public void close() {
        ArtemisCalls.runWithin(CLOSE_LIMIT, () -> {
            producers.close();
            consumers.close();
        });
    }
}
