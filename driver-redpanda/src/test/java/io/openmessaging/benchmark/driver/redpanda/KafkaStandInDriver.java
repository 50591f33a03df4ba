package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Optional;

/**
 * The unchanged driver, except for the one finding that it must report with a Kafka instead of Redpanda: it is hidden
 * from the contract test, which treats every error as a failure. {@link RedpandaOrNotIT} tests that the finding
 * exists.
 */
public final class KafkaStandInDriver implements BenchmarkDriver<RedpandaConfig> {

    private final RedpandaBenchmarkDriver driver = new RedpandaBenchmarkDriver();

    /** Used by the contract test, which loads the class by its name. */
    public KafkaStandInDriver() {}

    @Override
    public Class<RedpandaConfig> configType() {
        return driver.configType();
    }

    @Override
    public List<String> addresses(RedpandaConfig config) {
        return driver.addresses(config);
    }

    @Override
    public RedpandaConfig withAddresses(RedpandaConfig config, List<String> addresses) {
        return driver.withAddresses(config, addresses);
    }

    @Override
    public List<String> localBrokers() {
        return driver.localBrokers();
    }

    @Override
    public boolean carriesHeaders(RedpandaConfig config) {
        return driver.carriesHeaders(config);
    }

    @Override
    public Optional<String> messageTime(RedpandaConfig config) {
        return driver.messageTime(config);
    }

    @Override
    public String clientVersion() {
        return driver.clientVersion();
    }

    @Override
    public DriverConnection connect(RedpandaConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        DriverEvents events = new DriverEvents() {
            @Override
            public void clientError(String kind, Throwable cause) {
                if (!kind.equals("not Redpanda")) {
                    context.events().clientError(kind, cause);
                }
            }

            @Override
            public void fatal(Throwable cause) {
                context.events().fatal(cause);
            }
        };
        return driver.connect(config, new DriverContext(context.runId(), context.timeout(), events));
    }
}
