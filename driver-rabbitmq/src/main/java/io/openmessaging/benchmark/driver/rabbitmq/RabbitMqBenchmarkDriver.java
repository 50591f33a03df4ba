package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.impl.ClientVersion;
import com.rabbitmq.stream.Environment;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.rabbitmq.config.AmqpUri;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.connection.AmqpClients;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqConnection;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import io.openmessaging.benchmark.driver.rabbitmq.queue.QueueConnection;
import io.openmessaging.benchmark.driver.rabbitmq.stream.StreamConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Driver for RabbitMQ: classic queues, quorum queues, streams and super streams. */
public final class RabbitMqBenchmarkDriver implements BenchmarkDriver<RabbitMqConfig> {

    /** Keys of the driver file, by the local broker's names of its endpoints. */
    private static final Map<String, String> ENDPOINTS =
            Map.of("stream", "streamAddresses", "prometheus", "prometheusAddresses");

    /** For a stream-client without a manifest: its version is found nowhere else. */
    private static final String UNKNOWN_VERSION = "unknown";

    @Override
    public Class<RabbitMqConfig> configType() {
        return RabbitMqConfig.class;
    }

    @Override
    public List<String> addresses(RabbitMqConfig config) {
        return config.brokers().stream().map(AmqpUri::address).toList();
    }

    @Override
    public RabbitMqConfig withAddresses(RabbitMqConfig config, List<String> addresses) {
        List<AmqpUri> brokers = config.brokers();
        List<String> uris = IntStream.range(0, addresses.size())
                .mapToObj(i ->
                        brokers.get(i % brokers.size()).at(addresses.get(i)).uri())
                .toList();
        return ConfigRecords.with(config, Map.of("amqpUris", uris));
    }

    @Override
    public RabbitMqConfig withEndpoint(RabbitMqConfig config, String name, List<String> addresses) {
        String key = ENDPOINTS.get(name);
        return key == null ? config : ConfigRecords.with(config, Map.of(key, addresses));
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(RabbitMqConfig config) {
        return Optional.ofNullable(config.quorumInitialGroupSize())
                .filter(members -> members > 1)
                .map(members -> new NodeNeeds(members, "quorumInitialGroupSize: " + members));
    }

    @Override
    public List<String> localBrokers() {
        return List.of("rabbitmq");
    }

    @Override
    public List<String> existingTopics(RabbitMqConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(RabbitMqConfig config) {
        return Optional.of(
                config.queueType().isStream()
                        ? "the property creation-time of messages that have one (by the producer's clock)"
                        : "the property timestamp of messages that have one (whole seconds, by the producer's clock)");
    }

    @Override
    public boolean carriesHeaders(RabbitMqConfig config) {
        return true;
    }

    @Override
    public String clientVersion() {
        String stream = Environment.class.getPackage().getImplementationVersion();
        return "amqp-client " + ClientVersion.VERSION + ", stream-client "
                + (stream == null ? UNKNOWN_VERSION : stream);
    }

    @Override
    public DriverConnection connect(RabbitMqConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        AmqpClients amqp = new AmqpClients(config, context);
        RecoveringConnection control = RecoveringConnection.open(amqp, null, "control", context, deadline);
        RabbitMqConnection connection = config.queueType().isStream()
                ? new StreamConnection(config, context, control)
                : new QueueConnection(config, context, control, amqp);
        try {
            connection.probe(deadline);
            return connection;
        } catch (DriverException | InterruptedException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}
