package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Driver for Redpanda: the Kafka driver, plus a check that the system is Redpanda. */
public final class RedpandaBenchmarkDriver implements BenchmarkDriver<RedpandaConfig> {

    /** Name of the additional endpoint of a Redpanda that was started for a run. */
    private static final String ADMIN_ENDPOINT = "admin";

    private final KafkaBenchmarkDriver kafka = new KafkaBenchmarkDriver();

    /** For the framework, which loads the class by name. */
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
        String common = kafka.withAddresses(config.kafka(), addresses).commonConfig();
        return ConfigRecords.with(config, Map.of("commonConfig", common));
    }

    @Override
    public RedpandaConfig withEndpoint(RedpandaConfig config, String name, List<String> addresses) {
        if (!name.equals(ADMIN_ENDPOINT)) {
            return config;
        }
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put(
                "adminApi",
                addresses.stream().map(address -> "http://" + address).toList());
        // Null makes the metrics come from the Admin API's node.
        changes.put("metricsUrl", null);
        return ConfigRecords.with(config, changes);
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(RedpandaConfig config) {
        return Optional.ofNullable(config.replicationFactor())
                .filter(copies -> copies > 1)
                .map(copies -> new NodeNeeds(copies, "replicationFactor: " + copies));
    }

    @Override
    public List<String> localBrokers() {
        return List.of("redpanda");
    }

    @Override
    public List<String> existingTopics(RedpandaConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(RedpandaConfig config) {
        return kafka.messageTime(config.kafka());
    }

    @Override
    public boolean carriesHeaders(RedpandaConfig config) {
        return kafka.carriesHeaders(config.kafka());
    }

    @Override
    public String clientVersion() {
        return kafka.clientVersion();
    }

    /** Also identifies the system, so that a run against anything else has its finding in any case. */
    @Override
    public DriverConnection connect(RedpandaConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        AdminApi adminApi = AdminApi.of(config, addresses(config));
        DriverConnection connection = new KafkaProtocol(adminApi, context.events()).connect(config.kafka(), context);
        try {
            connection.describeBroker();
            return connection;
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    /** The Kafka driver for one connection to a system that should be Redpanda. */
    private static final class KafkaProtocol extends KafkaBenchmarkDriver {

        private final AdminApi adminApi;
        private final DriverEvents events;

        /** Cached, since the identity does not change during a connection. Used by the control thread. */
        private @Nullable BrokerDescription known;

        KafkaProtocol(AdminApi adminApi, DriverEvents events) {
            this.adminApi = adminApi;
            this.events = events;
        }

        @Override
        protected String system() {
            return "Redpanda";
        }

        @Override
        protected BrokerDescription identify(BrokerDescription byProtocol, Set<Integer> nodeIds)
                throws InterruptedException {
            if (known == null) {
                RedpandaIdentity identity = RedpandaIdentity.of(byProtocol, nodeIds, adminApi.ask());
                known = identity.description();
                identity.doubt().ifPresent(doubt -> events.clientError("not Redpanda", new DriverException(doubt)));
            }
            return known;
        }

        @Override
        protected Guarantee guarantee(Guarantee ofKafka, String acks, Map<String, String> topic) {
            return RedpandaGuarantee.of(ofKafka, acks, topic, known == null ? Map.of() : known.settings());
        }
    }
}
