package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import java.util.List;

/** Tests Pulsar's administration client without a broker. */
class PulsarAdministrationTest extends ClientContractTest<PulsarConfig> {

    /**
     * A driver that only connects the administration client, which the real one does after the client for messages has
     * connected.
     */
    public static final class AdministrationOnly implements BenchmarkDriver<PulsarConfig> {

        private final PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();

        /** Used by the contract test, which loads the class by its name. */
        public AdministrationOnly() {}

        @Override
        public Class<PulsarConfig> configType() {
            return driver.configType();
        }

        @Override
        public List<String> addresses(PulsarConfig config) {
            return List.of(config.client().httpUrl().replace("http://", ""));
        }

        @Override
        public PulsarConfig withAddresses(PulsarConfig config, List<String> addresses) {
            return driver.withEndpoint(config, "http", addresses);
        }

        @Override
        public String clientVersion() {
            return driver.clientVersion();
        }

        @Override
        public DriverConnection connect(PulsarConfig config, DriverContext context)
                throws DriverException, InterruptedException {
            Administration administration = Administration.of(config.client(), context.timeout());
            try {
                administration.bookies(Deadline.in(context.timeout()));
            } finally {
                administration.close();
            }
            throw new AssertionError(
                    "There is an answer from " + config.client().httpUrl());
        }
    }

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new AdministrationOnly();
    }

    @Override
    protected PulsarConfig config() {
        return TestConfigs.of("client: {httpUrl: 'http://127.0.0.1:1'}");
    }
}
