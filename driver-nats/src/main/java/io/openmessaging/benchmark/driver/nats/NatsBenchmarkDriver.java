package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Nats;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Driver for NATS: streams of JetStream, or subjects. */
public final class NatsBenchmarkDriver implements BenchmarkDriver<NatsConfig> {

    @Override
    public Class<NatsConfig> configType() {
        return NatsConfig.class;
    }

    @Override
    public List<String> addresses(NatsConfig config) {
        return config.servers();
    }

    @Override
    public NatsConfig withAddresses(NatsConfig config, List<String> addresses) {
        return config.withServers(addresses);
    }

    @Override
    public NatsConfig withEndpoint(NatsConfig config, String name, List<String> addresses) {
        return name.equals("http") || name.equals("https") ? config.withMonitoring(name, addresses) : config;
    }

    @Override
    public List<NodeFigures> nodeFigures(NatsConfig config, Duration timeout) {
        return List.copyOf(config.monitors(timeout));
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(NatsConfig config) {
        return config.nodeNeeds();
    }

    @Override
    public List<String> localBrokers() {
        return List.of("nats");
    }

    @Override
    public List<String> existingTopics(NatsConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(NatsConfig config) {
        return config.mode() == NatsMode.JETSTREAM
                ? Optional.of("the time when the stream stored the message (the server's clock)")
                : Optional.empty();
    }

    @Override
    public boolean carriesHeaders(NatsConfig config) {
        return true;
    }

    @Override
    public String clientVersion() {
        return "jnats " + Nats.CLIENT_VERSION;
    }

    @Override
    public DriverConnection connect(NatsConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return new NatsDriverConnection(config, context, NatsLink.open(config, config.servers(), context));
    }
}
