package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException.ConflictException;
import org.apache.pulsar.client.admin.PulsarAdminException.NotFoundException;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.AutoTopicCreationOverride;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.BacklogQuota.BacklogQuotaType;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.TenantInfo;

/**
 * The namespace with the topics of a run. Its name is derived from the run, so that all workers find it; the first
 * worker to need it creates it, and the tenant, which remains. Used on the control thread.
 */
final class RunNamespace {

    /** OMB's value: positions of subscriptions are stored at most once a second. */
    private static final double MARK_DELETES_PER_SECOND = 1.0;

    /** Pulsar's default; without effect here, since inactive topics are kept. */
    private static final int INACTIVE_S = 60;

    private final PulsarAdmin admin;
    private final ClientConfig config;
    private final OptionalInt bookies;
    private final String tenant;
    private final String name;
    private final String runId;
    private boolean used;

    /**
     * Creates nothing yet.
     *
     * @param bookies number of bookies; empty if unknown
     * @param runId ID unique to the run
     */
    RunNamespace(PulsarAdmin admin, ClientConfig config, OptionalInt bookies, String runId) {
        this.admin = admin;
        this.config = config;
        this.bookies = bookies;
        this.tenant =
                config.namespacePrefix().substring(0, config.namespacePrefix().indexOf('/'));
        this.runId = runId;
        this.name = config.namespacePrefix() + "-" + runId;
    }

    /** Returns the full name of a topic. */
    String topic(TopicSpec spec) {
        if (spec.existing()) {
            return TopicName.get(spec.name()).toString();
        }
        return config.topicType() + "://" + name + "/" + spec.name();
    }

    /** Returns the subscription's name, with the run ID on an existing topic, which may have other subscriptions. */
    String subscription(TopicSpec topic, String subscription) {
        return topic.existing() ? ownSubscriptions() + subscription : subscription;
    }

    /** Returns the prefix of the run's subscriptions to existing topics. */
    String ownSubscriptions() {
        return runId + "-";
    }

    /** Returns the full names of a topic's partitions; see {@link PulsarTopics}. */
    List<String> partitions(TopicSpec spec) {
        String topic = topic(spec);
        return PulsarTopics.isPartitioned(spec, config.isPersistent())
                ? IntStream.range(0, spec.partitions())
                        .mapToObj(index -> topic + TopicName.PARTITIONED_TOPIC_SUFFIX + index)
                        .toList()
                : List.of(topic);
    }

    /** Creates the namespace unless it exists. */
    void create(Deadline deadline) throws DriverException, InterruptedException {
        Policies policies = policies();
        used = true;
        createTenant(deadline);
        CompletableFuture<Void> creation = admin.namespaces().createNamespaceAsync(name, policies);
        CALLS.await(
                "create the namespace '" + name + "'", deadline, PulsarCalls.unless(ConflictException.class, creation));
    }

    private void createTenant(Deadline deadline) throws DriverException, InterruptedException {
        if (tenants(deadline).contains(tenant)) {
            return;
        }
        Set<String> clusters = clusters(deadline);
        TenantInfo info = TenantInfo.builder().allowedClusters(clusters).build();
        try {
            CALLS.await(
                    "create the tenant '" + tenant + "' for " + clusters,
                    deadline,
                    admin.tenants().createTenantAsync(tenant, info));
        } catch (DriverException e) {
            // When two runs create it at once, one gets a conflict or, from Pulsar 4.2, an internal error.
            if (!tenants(deadline).contains(tenant)) {
                throw e;
            }
        }
    }

    private List<String> tenants(Deadline deadline) throws DriverException, InterruptedException {
        return CALLS.await("list the tenants", deadline, admin.tenants().getTenantsAsync());
    }

    private Set<String> clusters(Deadline deadline) throws DriverException, InterruptedException {
        List<String> all =
                CALLS.await("list the clusters", deadline, admin.clusters().getClustersAsync());
        String wanted = config.clusterName();
        if (wanted == null) {
            return Set.copyOf(all);
        }
        if (!all.contains(wanted)) {
            throw new DriverException("Could not create the tenant '" + tenant + "': there is no cluster '" + wanted
                    + "' (client.clusterName), only " + String.join(", ", all));
        }
        return Set.of(wanted);
    }

    private Policies policies() throws DriverException {
        Policies policies = new Policies();
        // Some runs measure backlogs.
        policies.backlog_quota_map.putAll(
                Map.of(BacklogQuotaType.destination_storage, unlimited(), BacklogQuotaType.message_age, unlimited()));
        policies.inactive_topic_policies =
                new InactiveTopicPolicies(InactiveTopicDeleteMode.delete_when_no_subscriptions, INACTIVE_S, false);
        // A topic that was deleted must not come back.
        policies.autoTopicCreationOverride = AutoTopicCreationOverride.builder()
                .allowAutoTopicCreation(false)
                .build();
        policies.deduplicationEnabled = config.persistence().deduplicationEnabled();
        if (config.isPersistent()) {
            Persistence possible = config.persistence().possible(bookies);
            policies.persistence = new PersistencePolicies(
                    possible.ensembleSize(), possible.writeQuorum(), possible.ackQuorum(), MARK_DELETES_PER_SECOND);
        }
        return policies;
    }

    private static BacklogQuota unlimited() {
        return BacklogQuota.builder()
                .limitSize(-1)
                .limitTime(-1)
                .retentionPolicy(BacklogQuota.RetentionPolicy.producer_request_hold)
                .build();
    }

    /** Records that topics have been deleted, perhaps the last ones. */
    void noteDeletion() {
        used = true;
    }

    /**
     * Removes the namespace unless it still has topics, or another worker is faster.
     *
     * @param limit time limit of each request
     */
    void removeIfEmpty(Duration limit) throws DriverException, InterruptedException {
        if (used
                && isEmpty(admin.topics().getPartitionedTopicListAsync(name), limit)
                && isEmpty(admin.topics().getListAsync(name), limit)) {
            CompletableFuture<Void> removal = admin.namespaces().deleteNamespaceAsync(name);
            CALLS.await(
                    "remove the namespace '" + name + "'",
                    Deadline.in(limit),
                    PulsarCalls.unless(NotFoundException.class, PulsarCalls.unless(ConflictException.class, removal)));
        }
    }

    private boolean isEmpty(CompletableFuture<List<String>> topics, Duration limit)
            throws DriverException, InterruptedException {
        List<String> left = CALLS.await(
                "list the topics of the namespace '" + name + "'",
                Deadline.in(limit),
                PulsarCalls.unless(NotFoundException.class, topics));
        return left != null && left.isEmpty();
    }
}
