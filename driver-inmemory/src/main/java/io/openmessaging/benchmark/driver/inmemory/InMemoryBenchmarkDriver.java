package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import java.util.List;

/**
 * The driver of a broker inside the process. Connections with equal configurations reach the same broker, which exists
 * as long as it has a connection or a topic.
 */
public final class InMemoryBenchmarkDriver implements BenchmarkDriver<InMemoryConfig> {

    /** Keeps no state. */
    public InMemoryBenchmarkDriver() {}

    @Override
    public Class<InMemoryConfig> configType() {
        return InMemoryConfig.class;
    }

    /** None. */
    @Override
    public List<String> addresses(InMemoryConfig config) {
        return List.of();
    }

    /** The configuration as it is, since it has no addresses. */
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

    /** The version of the jar, which classes outside of a jar do not know. */
    static String version() {
        String version = InMemoryBenchmarkDriver.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
