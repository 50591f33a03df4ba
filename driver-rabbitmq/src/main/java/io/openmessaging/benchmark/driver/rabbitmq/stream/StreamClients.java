package io.openmessaging.benchmark.driver.rabbitmq.stream;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;
import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.THREADS;

import com.rabbitmq.stream.Address;
import com.rabbitmq.stream.AddressResolver;
import com.rabbitmq.stream.BackOffDelayPolicy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.EnvironmentBuilder;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.sasl.DefaultSaslConfiguration;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rabbitmq.config.AmqpUri;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.connection.AmqpClients;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Clients of the stream protocol for one connection: one environment for producers and one for consumers, so that they
 * never share a connection. Used by the control thread.
 */
final class StreamClients implements AutoCloseable {

    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration NEXT_RETRY = Duration.ofSeconds(1);

    /** The protocol numbers publishers and subscriptions of a connection with one byte. */
    private static final int MAX_CLIENTS_PER_CONNECTION = 256;

    private static final int CLOSE_LIMIT_MS = 2_000;

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final AmqpUri login;

    /** Shared, and closed here: an environment takes a second to close event loops of its own. */
    private final EventLoopGroup eventLoops;

    /** Environments by role. */
    private final Map<String, Environment> environments = new HashMap<>();

    StreamClients(RabbitMqConfig config, DriverContext context) {
        this.config = config;
        this.context = context;
        this.login = config.brokers().get(0);
        this.eventLoops =
                new MultiThreadIoEventLoopGroup(0, THREADS.named("rabbitmq-stream-io"), NioIoHandler.newFactory());
    }

    /** Checks that the addresses speak the protocol, before anything is created. */
    void probe(Deadline deadline) throws DriverException, InterruptedException {
        open("probe", 1, 1, deadline).close();
    }

    /**
     * The environment for producers or for consumers, opened by the first call.
     *
     * @param role the role of the clients
     * @param count number of clients for single streams that will be created
     * @param connections number of connections that they share
     */
    Environment environment(String role, int count, int connections, Deadline deadline)
            throws DriverException, InterruptedException {
        Environment environment = environments.get(role);
        if (environment == null) {
            environment = open(role, count, connections, deadline);
            environments.put(role, environment);
        }
        return environment;
    }

    private SslContext tls() throws DriverException {
        try {
            return config.tls().nettyContext();
        } catch (GeneralSecurityException | IOException e) {
            throw CALLS.refused("read the key store or trust store of tls", e);
        }
    }

    private Environment open(String role, int clients, int connections, Deadline deadline)
            throws DriverException, InterruptedException {
        List<String> addresses = config.streamEndpoints();
        String attempt = "reach the stream protocol of RabbitMQ at " + String.join(",", addresses) + " (vhost '"
                + login.vhost() + "', user '" + login.user() + "')";
        int perConnection = Math.max(
                1, (int) Math.min(MAX_CLIENTS_PER_CONNECTION, ((long) clients + connections - 1) / connections));
        EnvironmentBuilder builder =
                builder(addresses, perConnection, deadline).id("benchmark-" + context.runId() + "-" + role);
        return CALLS.run(attempt, deadline, () -> build(builder, attempt), Environment::close, () -> {});
    }

    private static Environment build(EnvironmentBuilder builder, String attempt) throws DriverException {
        try {
            return builder.build();
        } catch (StreamException e) {
            throw new DriverException(
                    "Could not " + attempt + ": " + RabbitMqCalls.reason(e)
                            + "; streams need the plugin rabbitmq_stream on every node",
                    e);
        }
    }

    private EnvironmentBuilder builder(List<String> addresses, int perConnection, Deadline deadline)
            throws DriverException {
        String scheme = login.tls() ? "rabbitmq-stream+tls" : "rabbitmq-stream";
        int connectMs = deadline.leftMs(AmqpClients.CONNECT_LIMIT);
        BackOffDelayPolicy retries =
                BackOffDelayPolicy.fixedWithInitialDelay(FIRST_RETRY, NEXT_RETRY, context.timeout());
        EnvironmentBuilder builder = Environment.builder()
                .uris(addresses.stream()
                        .map(address -> AmqpUri.ofStreams(scheme, address))
                        .toList())
                .username(login.user())
                .password(login.password())
                .virtualHost(login.vhost())
                .rpcTimeout(Duration.ofMillis(deadline.leftMs(AmqpClients.rpcLimit(context.timeout()))))
                // No limit on our side: a message may be as large as the broker accepts.
                .requestedMaxFrameSize(0)
                .maxProducersByConnection(perConnection)
                .maxConsumersByConnection(perConnection)
                .recoveryBackOffDelayPolicy(retries)
                .topologyUpdateBackOffDelayPolicy(retries)
                .netty()
                .eventLoopGroup(eventLoops)
                .bootstrapCustomizer(b -> b.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMs))
                .environmentBuilder();
        // Always set: by default, the client guesses the kind of network from the name localhost.
        builder.addressResolver(config.streamAdvertisedAddresses() ? advertised -> advertised : only(addresses.get(0)));
        if (login.tls()) {
            builder.tls().sslContext(tls());
            if (config.tls().login()) {
                builder.saslConfiguration(DefaultSaslConfiguration.EXTERNAL);
            }
        }
        return builder;
    }

    private static AddressResolver only(String address) {
        int colon = address.lastIndexOf(':');
        Address only = new Address(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        return advertised -> only;
    }

    @Override
    public void close() {
        environments.values().forEach(Environment::close);
        eventLoops.shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_LIMIT_MS);
    }
}
