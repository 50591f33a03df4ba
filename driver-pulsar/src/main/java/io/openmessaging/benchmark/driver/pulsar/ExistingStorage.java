package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.admin.PulsarAdminException.NotAllowedException;
import org.apache.pulsar.client.admin.PulsarAdminException.NotFoundException;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.PersistencePolicies;

/**
 * Reads how Pulsar stores existing topics: the numbers of the driver file do not apply to them.
 *
 * @param ofFile storage in the driver file, for everything except these numbers
 */
record ExistingStorage(PulsarAdmin admin, Persistence ofFile) {

    private static final List<String> BROKER_DEFAULTS = List.of(
            "managedLedgerDefaultEnsembleSize", "managedLedgerDefaultWriteQuorum", "managedLedgerDefaultAckQuorum");

    /** Returns the smallest numbers among these topics; empty if Pulsar does not report those of all of them. */
    Optional<Persistence> weakest(List<String> topics, Deadline deadline) throws DriverException, InterruptedException {
        List<Optional<Persistence>> all = PulsarCalls.all(
                "read the persistence policies of topics",
                topics,
                deadline,
                topic -> "read the persistence policy of the existing topic '" + topic + "'",
                topic -> of(TopicName.get(topic)),
                read -> CompletableFuture.<Void>completedFuture(null));
        return all.stream()
                .reduce((one, other) -> one.flatMap(numbers -> other.map(numbers::smaller)))
                .orElse(Optional.empty());
    }

    /** Returns the storage of a topic; empty if Pulsar refuses a question about it. */
    private CompletableFuture<Optional<Persistence>> of(TopicName topic) {
        // Brokers have policies for whole topics, not for partitions.
        String name = topic.getPartitionedTopicName();
        // Without a policy of its own, a topic has that of its namespace. Brokers refuse the question if policies of
        // topics are turned off, and old ones do not know it.
        CompletableFuture<Optional<Persistence>> read = PulsarCalls.unless(
                        NotFoundException.class,
                        PulsarCalls.unless(
                                NotAllowedException.class, admin.topicPolicies().getPersistenceAsync(name, true)))
                .thenCompose(policy ->
                        policy == null ? ofNamespace(topic.getNamespace()) : withGlobal(name, ofFile.with(policy)));
        return PulsarCalls.unless(PulsarAdminException.class, read)
                .thenApply(found -> requireNonNullElse(found, Optional.empty()));
    }

    /** A topic's policy for all clusters also applies, but is not part of the answer about this cluster. */
    private CompletableFuture<Optional<Persistence>> withGlobal(String topic, Persistence ofCluster) {
        CompletableFuture<PersistencePolicies> answer =
                admin.topicPolicies(true).getPersistenceAsync(topic, false);
        return answer.thenApply(
                global -> Optional.of(global == null ? ofCluster : ofCluster.smaller(ofFile.with(global))));
    }

    private CompletableFuture<Optional<Persistence>> ofNamespace(String namespace) {
        CompletableFuture<PersistencePolicies> answer = admin.namespaces().getPersistenceAsync(namespace);
        return answer.thenCompose(policy -> policy == null
                ? admin.brokers().getRuntimeConfigurationsAsync().thenApply(this::ofBroker)
                : CompletableFuture.completedFuture(Optional.of(ofFile.with(policy))));
    }

    private Optional<Persistence> ofBroker(Map<String, String> settings) {
        List<Integer> numbers = BROKER_DEFAULTS.stream()
                .map(settings::get)
                .flatMap(Stream::ofNullable)
                .map(Integer::valueOf)
                .toList();
        return numbers.size() < BROKER_DEFAULTS.size()
                ? Optional.empty()
                : Optional.of(ofFile.with(numbers.get(0), numbers.get(1), numbers.get(2)));
    }
}
