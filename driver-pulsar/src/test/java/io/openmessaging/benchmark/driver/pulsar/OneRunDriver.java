package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The driver with connections that all belong to one run, as those of several workers do. The contract's sessions each
 * have a run of their own and share topics all the same, which the driver keeps apart by namespaces.
 */
public final class OneRunDriver implements BenchmarkDriver<PulsarConfig> {

    private final PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();
    private final String runId = "contract" + UUID.randomUUID().toString().substring(0, 8);

    /** A run that is not the one of any other instance. */
    public OneRunDriver() {}

    @Override
    public Class<PulsarConfig> configType() {
        return driver.configType();
    }

    @Override
    public List<String> addresses(PulsarConfig config) {
        return driver.addresses(config);
    }

    @Override
    public PulsarConfig withAddresses(PulsarConfig config, List<String> addresses) {
        return driver.withAddresses(config, addresses);
    }

    @Override
    public PulsarConfig withEndpoint(PulsarConfig config, String name, List<String> addresses) {
        return driver.withEndpoint(config, name, addresses);
    }

    @Override
    public Optional<String> localBroker() {
        return driver.localBroker();
    }

    @Override
    public String clientVersion() {
        return driver.clientVersion();
    }

    @Override
    public DriverConnection connect(PulsarConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return driver.connect(config, new DriverContext(runId, context.timeout(), context.events()));
    }
}
