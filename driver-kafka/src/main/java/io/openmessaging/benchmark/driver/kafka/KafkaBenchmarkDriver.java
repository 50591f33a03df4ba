package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import io.openmessaging.benchmark.driver.kafka.clients.OwnSaslClients;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/**
 * Driver for Apache Kafka. Drivers for other systems that speak the same protocol extend this class and name their
 * system in {@link #localBrokers()} and {@link #identify}, and its guarantee in {@link #guarantee}.
 */
public class KafkaBenchmarkDriver implements BenchmarkDriver<KafkaConfig> {

    @Override
    public Class<KafkaConfig> configType() {
        return KafkaConfig.class;
    }

    @Override
    public List<String> addresses(KafkaConfig config) {
        String addresses = KafkaSettings.parse(config.commonConfig())
                .getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
        return Arrays.stream(addresses.split(","))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .map(KafkaBenchmarkDriver::withoutProtocol)
                .toList();
    }

    /** Removes the protocol: Kafka also accepts {@code PLAINTEXT://host:port} as an address. */
    static String withoutProtocol(String address) {
        return address.replaceFirst("^[A-Z_]+://", "");
    }

    @Override
    public KafkaConfig withAddresses(KafkaConfig config, List<String> addresses) {
        // The last value of a name counts. The empty line completes an unfinished last line of the text.
        String last = "\n\n" + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG + "=" + String.join(",", addresses) + "\n";
        return ConfigRecords.with(config, Map.of("commonConfig", config.commonConfig() + last));
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(KafkaConfig config) {
        return Optional.ofNullable(config.replicationFactor())
                .filter(copies -> copies > 1)
                .map(copies -> new NodeNeeds(copies, "replicationFactor: " + copies));
    }

    @Override
    public List<String> localBrokers() {
        return List.of("kafka");
    }

    @Override
    public List<String> existingTopics(KafkaConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(KafkaConfig config) {
        return Optional.of(
                "the record's timestamp (CreateTime by the producer's clock or, if the topic is set to it, LogAppendTime by"
                        + " the broker's clock)");
    }

    @Override
    public boolean carriesHeaders(KafkaConfig config) {
        return true;
    }

    @Override
    public Optional<ProcessNeeds> processNeeds(
            KafkaConfig config, int producers, int consumers, boolean consumersBlock) {
        return Optional.of(KafkaClientNeeds.of(config, producers, consumers, consumersBlock));
    }

    @Override
    public String clientVersion() {
        return "kafka-clients " + AppInfoParser.getVersion();
    }

    @Override
    public DriverConnection connect(KafkaConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        String attempt = "reach " + system() + " at " + String.join(",", addresses(config));
        Deadline deadline = Deadline.in(context.timeout());
        ClientProperties properties = properties(config, context);
        if (properties.logsInBySasl() && !OwnSaslClients.install()) {
            throw new DriverException("Could not " + attempt + ": the JVM accepts no further provider of SASL clients");
        }
        Admin admin = admin(properties, attempt);
        try {
            DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs(deadline.leftMs());
            try {
                CALLS.await(attempt, deadline, admin.describeCluster(options).nodes());
            } catch (DriverException e) {
                throw isTimeout(e) ? withHint(e, admin, properties.securityProtocol()) : e;
            }
            return new KafkaConnection(this, config, context, properties, admin);
        } catch (Throwable e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /** Returns whether Kafka's client or our own wait timed out. */
    private static boolean isTimeout(DriverException e) {
        return e.getCause() instanceof TimeoutException
                || e.getCause() instanceof java.util.concurrent.TimeoutException;
    }

    /**
     * A listener that expects another protocol closes the connection, and the client just retries until it times out.
     */
    private static DriverException withHint(DriverException timeout, Admin admin, String protocol) {
        boolean closed = total(admin, "connection-creation-total") > 0 && total(admin, "connection-close-total") > 0;
        return new DriverException(
                timeout.getMessage() + (closed ? ", and connections were closed without an answer" : "")
                        + "; if a broker listens there, check that its listener expects security.protocol=" + protocol,
                timeout.getCause());
    }

    private static double total(Admin admin, String metric) {
        return admin.metrics().values().stream()
                .filter(one -> one.metricName().name().equals(metric)
                        && one.metricName().group().equals("admin-client-metrics"))
                .mapToDouble(one -> (double) one.metricValue())
                .sum();
    }

    private static ClientProperties properties(KafkaConfig config, DriverContext context) throws DriverException {
        try {
            return ClientProperties.of(config, context.runId(), System.getProperty(ClientProperties.ZONE_ID));
        } catch (IllegalArgumentException e) {
            throw new DriverException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Admin admin(ClientProperties properties, String attempt) throws DriverException {
        try {
            return KafkaCalls.THREADS.within(() -> Admin.create(properties.ofAdmin()));
        } catch (KafkaException e) {
            throw CALLS.refused(attempt, e);
        }
    }

    /** Name of the system in messages to the user. */
    protected String system() {
        return "Kafka";
    }

    /**
     * Identifies the system behind a connection, for {@link DriverConnection#describeBroker()}.
     *
     * @param byProtocol description that Kafka's protocol yields
     * @param nodeIds numbers of its nodes
     */
    protected BrokerDescription identify(BrokerDescription byProtocol, Set<Integer> nodeIds)
            throws InterruptedException {
        return byProtocol;
    }

    /**
     * The system's guarantee for a topic for which Apache Kafka would give this one. Called after {@link #identify}.
     *
     * @param acks number of brokers that producers wait for: {@code 0}, {@code 1}, or all of those in sync
     * @param topic settings of the topic, as far as the driver file or the system names them
     */
    protected Guarantee guarantee(Guarantee ofKafka, String acks, Map<String, String> topic) {
        return ofKafka;
    }
}
