package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import java.util.ArrayList;
import java.util.Collection;
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
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Asks a cluster for its nodes, version, settings and guarantee. */
record ClusterDescription(Admin admin, Deadline deadline) {

    /**
     * Describes the cluster, and claims nothing that it has not reported: only what is certainly Apache Kafka is called
     * so.
     */
    BrokerDescription ask(KafkaBenchmarkDriver driver, KafkaGuarantee guarantee)
            throws DriverException, InterruptedException {
        DescribeClusterResult cluster =
                admin.describeCluster(new DescribeClusterOptions().timeoutMs(deadline.leftMs()));
        Map<Integer, String> nodes = new TreeMap<>();
        CALLS.await("list the cluster's nodes", deadline, cluster.nodes())
                .forEach(node -> nodes.put(node.id(), nameOf(node)));
        Map<String, String> settings = new TreeMap<>();
        String clusterId = CALLS.await("read the cluster's id", deadline, cluster.clusterId());
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
        Map<String, String> ofBroker = nodes.isEmpty()
                ? Map.of()
                : settings(new ConfigResource(
                        ConfigResource.Type.BROKER,
                        Integer.toString(nodes.keySet().iterator().next())));
        // First, since the guarantee may depend on what is learnt here.
        BrokerDescription identified = driver.identify(byProtocol, nodes.keySet());
        return identified.promising(promise(guarantee, ofBroker));
    }

    /** Returns the guarantee of the run's topics; for existing topics, what holds for all of them. */
    private Guarantee promise(KafkaGuarantee guarantee, Map<String, String> ofBroker)
            throws DriverException, InterruptedException {
        List<String> existing = guarantee.config().existingTopics();
        if (existing.isEmpty()) {
            return guarantee.of(ofBroker);
        }
        List<Guarantee> ofTopics = new ArrayList<>();
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(deadline.leftMs());
        Collection<TopicDescription> known = KafkaCalls.all(
                        admin.describeTopics(TopicCollection.ofTopicNames(existing), options)
                                .topicNameValues(),
                        deadline,
                        name -> "describe the topic '" + name + "'",
                        UnknownTopicOrPartitionException.class)
                .values();
        for (TopicDescription topic : known) {
            int copies = topic.partitions().stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(0);
            Map<String, String> ofTopic = settings(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()));
            ofTopics.add(guarantee.of(ofBroker, ofTopic, copies));
        }
        return ofTopics.isEmpty() ? guarantee.of(ofBroker) : KafkaGuarantee.weakest(ofTopics);
    }

    /** Name of a node in results. */
    static String nameOf(Node node) {
        return node.host() + ":" + node.port();
    }

    /** Settings of a broker or a topic; empty if the cluster does not disclose them to this user. */
    private Map<String, String> settings(ConfigResource resource) throws DriverException, InterruptedException {
        DescribeConfigsOptions options = new DescribeConfigsOptions().timeoutMs(deadline.leftMs());
        Map<String, String> settings = new HashMap<>();
        ifOffered(admin.describeConfigs(List.of(resource), options).all(), "read the settings of " + resource.name())
                .ifPresent(configs -> configs.values().stream()
                        .flatMap(config -> config.entries().stream())
                        .filter(entry -> entry.value() != null)
                        .forEach(entry -> settings.put(entry.name(), entry.value())));
        return settings;
    }

    private Optional<FeatureMetadata> features() throws DriverException, InterruptedException {
        DescribeFeaturesOptions options = new DescribeFeaturesOptions().timeoutMs(deadline.leftMs());
        return ifOffered(admin.describeFeatures(options).featureMetadata(), "read the cluster's features");
    }

    /**
     * The node that leads the metadata quorum. (The controller in a broker's description of the cluster is any node
     * that accepts requests for it.)
     */
    private Optional<String> controller() throws DriverException, InterruptedException {
        DescribeMetadataQuorumOptions options = new DescribeMetadataQuorumOptions().timeoutMs(deadline.leftMs());
        return ifOffered(admin.describeMetadataQuorum(options).quorumInfo(), "describe the metadata quorum")
                .map(QuorumInfo::leaderId)
                .map(leader -> "node " + leader);
    }

    /** Waits for an answer that a system may not support, or may not give to every user; empty in these cases. */
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
