package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.PulsarVersion;

/** Driver for Apache Pulsar. */
public final class PulsarBenchmarkDriver implements BenchmarkDriver<PulsarConfig> {

    /** The local broker's name for the endpoint of its administration. */
    private static final String HTTP = "http";

    @Override
    public Class<PulsarConfig> configType() {
        return PulsarConfig.class;
    }

    @Override
    public List<String> addresses(PulsarConfig config) {
        return ServiceAddresses.of(config.client().serviceUrl());
    }

    @Override
    public PulsarConfig withAddresses(PulsarConfig config, List<String> addresses) {
        return config.withClient(
                Map.of("serviceUrl", ServiceAddresses.with(config.client().serviceUrl(), addresses)));
    }

    /** Also allows lower storage numbers, since a local broker has only the bookies that it was configured with. */
    @Override
    public PulsarConfig withEndpoint(PulsarConfig config, String name, List<String> addresses) {
        if (!name.equals(HTTP)) {
            return config;
        }
        return config.withClient(Map.of(
                "httpUrl",
                "http://" + String.join(",", addresses),
                "persistence",
                config.client().persistence().adjustable()));
    }

    @Override
    public List<String> localBrokers() {
        return List.of("pulsar");
    }

    @Override
    public List<String> existingTopics(PulsarConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(PulsarConfig config) {
        return Optional.of("the publish time (by the producer's clock)");
    }

    /** Sends headers as Pulsar's properties. */
    @Override
    public boolean carriesHeaders(PulsarConfig config) {
        return true;
    }

    @Override
    public String clientVersion() {
        return "pulsar-client " + PulsarVersion.getVersion();
    }

    @Override
    public DriverConnection connect(PulsarConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return PulsarConnection.open(config, context);
    }
}
