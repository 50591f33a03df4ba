package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.util.List;
import java.util.Map;

/** Driver for Acme. */
public final class AcmeBenchmarkDriver implements BenchmarkDriver<AcmeConfig> {

    private static final DriverThreads THREADS = DriverThreads.of(AcmeBenchmarkDriver.class);

    /** Makes calls with a deadline, and puts the client's reason into the message of a failure. */
    static final Calls CALLS = new Calls("acme", THREADS, Calls::message);

    public AcmeBenchmarkDriver() {}

    @Override
    public Class<AcmeConfig> configType() {
        return AcmeConfig.class;
    }

    @Override
    public List<String> addresses(AcmeConfig config) {
        return config.brokers();
    }

    @Override
    public AcmeConfig withAddresses(AcmeConfig config, List<String> addresses) {
        return ConfigRecords.with(config, Map.of("brokers", addresses));
    }

    @Override
    public String clientVersion() {
        return "acme-client " + AcmeClient.VERSION;
    }

    @Override
    public DriverConnection connect(AcmeConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        AcmeClient client = CALLS.run(
                "connect to " + String.join(", ", config.brokers()),
                Deadline.in(context.timeout()),
                () -> AcmeClient.connect(config.brokers()),
                AcmeClient::close,
                () -> {});
        return new AcmeConnection(client, context);
    }
}
