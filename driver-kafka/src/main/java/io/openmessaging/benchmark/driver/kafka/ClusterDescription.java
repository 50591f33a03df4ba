package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.DescribeMetadataQuorumOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Asks a cluster what it is. */
record ClusterDescription(Admin admin, Deadline deadline) {

    /** Claims nothing that the cluster has not said: what is no Apache Kafka for certain is not called so. */
    BrokerDescription ask(KafkaBenchmarkDriver driver, KafkaGuarantee guarantee)
            throws DriverException, InterruptedException {
        DescribeClusterResult cluster =
                admin.describeCluster(new DescribeClusterOptions().timeoutMs(deadline.leftMs()));
        Map<Integer, String> nodes = new TreeMap<>();
        CALLS.await("list the cluster's nodes", deadline, cluster.nodes())
                .forEach(node -> nodes.put(node.id(), node.host() + ":" + node.port()));
        Map<String, String> settings = new TreeMap<>();
        String clusterId = CALLS.await("ask for the cluster's id", deadline, cluster.clusterId());
        if (clusterId != null) {
            settings.put("cluster id", clusterId);
        }
        Optional<FeatureMetadata> features = features();
        features.map(f -> f.finalizedFeatures().get(KafkaReleases.METADATA_VERSION))
                .map(FinalizedVersionRange::maxVersionLevel)
                .ifPresent(level -> settings.put(KafkaReleases.METADATA_VERSION, level.toString()));
        controller().ifPresent(controller -> settings.put("controller", controller));
        Optional<Short> supported = features.map(f -> f.supportedFeatures().get(KafkaReleases.METADATA_VERSION))
                .map(SupportedVersionRange::maxVersion);
        BrokerDescription byProtocol = new BrokerDescription(
                supported.isPresent() ? "Apache Kafka" : "Kafka-compatible broker",
                supported.map(KafkaReleases::supportingUpTo).orElse("unknown"),
                List.copyOf(nodes.values()),
                settings);
        Map<String, String> brokerSettings =
                nodes.isEmpty() ? Map.of() : settings(nodes.keySet().iterator().next());
        return driver.identify(byProtocol, nodes.keySet()).promising(driver.guarantee(guarantee.of(brokerSettings)));
    }

    /** Settings of a broker; none where they are not told to everyone. */
    private Map<String, String> settings(int node) throws DriverException, InterruptedException {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(node));
        DescribeConfigsOptions options = new DescribeConfigsOptions().timeoutMs(deadline.leftMs());
        Map<String, String> settings = new HashMap<>();
        ifOffered(admin.describeConfigs(List.of(broker), options).all(), "ask a broker for its settings")
                .ifPresent(configs -> configs.values().stream()
                        .flatMap(config -> config.entries().stream())
                        .filter(entry -> entry.value() != null)
                        .forEach(entry -> settings.put(entry.name(), entry.value())));
        return settings;
    }

    private Optional<FeatureMetadata> features() throws DriverException, InterruptedException {
        DescribeFeaturesOptions options = new DescribeFeaturesOptions().timeoutMs(deadline.leftMs());
        return ifOffered(admin.describeFeatures(options).featureMetadata(), "ask for the cluster's features");
    }

    /**
     * The node that leads the metadata quorum. (What a broker calls the controller in its description of the cluster is
     * any node that takes requests for it.)
     */
    private Optional<String> controller() throws DriverException, InterruptedException {
        DescribeMetadataQuorumOptions options = new DescribeMetadataQuorumOptions().timeoutMs(deadline.leftMs());
        return ifOffered(admin.describeMetadataQuorum(options).quorumInfo(), "ask for the metadata quorum")
                .map(QuorumInfo::leaderId)
                .map(leader -> "node " + leader);
    }

    /** An answer that a system need not have, or need not give to everyone. */
    private <T> Optional<T> ifOffered(KafkaFuture<T> answer, String attempt)
            throws DriverException, InterruptedException {
        try {
            return Optional.of(CALLS.await(attempt, deadline, answer));
        } catch (DriverException e) {
            if (e.getCause() instanceof UnsupportedVersionException || e.getCause() instanceof AuthorizationException) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
