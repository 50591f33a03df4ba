package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import java.util.List;

/**
 * Driver for a broker inside the process. Connections with equal configurations share one broker, which exists as long
 * as it has a connection or a topic.
 */
public final class InMemoryBenchmarkDriver implements BenchmarkDriver<InMemoryConfig> {

    public InMemoryBenchmarkDriver() {}

    @Override
    public Class<InMemoryConfig> configType() {
        return InMemoryConfig.class;
    }

    /** Returns an empty list, since the broker has no addresses. */
    @Override
    public List<String> addresses(InMemoryConfig config) {
        return List.of();
    }

    /** Returns the configuration unchanged, since it has no addresses. */
    @Override
    public InMemoryConfig withAddresses(InMemoryConfig config, List<String> addresses) {
        return config;
    }

    @Override
    public String clientVersion() {
        return "driver-inmemory " + version();
    }

    @Override
    public DriverConnection connect(InMemoryConfig config, DriverContext context) {
        return new InMemoryConnection(InMemoryBroker.connect(config), context);
    }

    /** Returns the version of the jar; unknown to classes outside of a jar. */
    static String version() {
        String version = InMemoryBenchmarkDriver.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
