package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver;
import java.util.List;
import java.util.Optional;

/** Redpanda: the Kafka driver, and the question whether it is Redpanda that answers. */
public final class RedpandaBenchmarkDriver implements BenchmarkDriver<RedpandaConfig> {

    /** The name of the endpoint that a Redpanda started for a run has beside its addresses. */
    private static final String ADMIN_ENDPOINT = "admin";

    private final KafkaBenchmarkDriver kafka = new KafkaBenchmarkDriver();

    /** For the framework, which loads the class by its name. */
    public RedpandaBenchmarkDriver() {}

    @Override
    public Class<RedpandaConfig> configType() {
        return RedpandaConfig.class;
    }

    @Override
    public List<String> addresses(RedpandaConfig config) {
        return kafka.addresses(config.kafka());
    }

    @Override
    public RedpandaConfig withAddresses(RedpandaConfig config, List<String> addresses) {
        return config.withKafka(kafka.withAddresses(config.kafka(), addresses));
    }

    @Override
    public RedpandaConfig withEndpoint(RedpandaConfig config, String name, List<String> addresses) {
        return name.equals(ADMIN_ENDPOINT)
                ? config.withAdminApi(
                        addresses.stream().map(address -> "http://" + address).toList())
                : config;
    }

    @Override
    public Optional<String> localBroker() {
        return Optional.of("redpanda");
    }

    @Override
    public String clientVersion() {
        return kafka.clientVersion();
    }

    /** Also finds out who answers, so that a run against something else has its finding in any case. */
    @Override
    public DriverConnection connect(RedpandaConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        KafkaProtocol protocol = new KafkaProtocol(AdminApi.of(config, addresses(config)), context.events());
        DriverConnection connection = protocol.connect(config.kafka(), context);
        boolean identified = false;
        try {
            connection.describeBroker();
            identified = true;
            return connection;
        } finally {
            if (!identified) {
                connection.close();
            }
        }
    }
}
