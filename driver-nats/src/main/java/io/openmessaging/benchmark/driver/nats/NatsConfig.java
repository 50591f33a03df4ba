package io.openmessaging.benchmark.driver.nats;

import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a NATS driver file.
 *
 * @param natsHostUrl {@code host:port} of some servers of one cluster, separated by commas
 * @param monitoring URL of the monitoring endpoint of each of these servers, in the same order; empty if there is none
 * @param mode feature of NATS that carries the messages
 * @param storage where a stream keeps its messages
 * @param replicationFactor number of copies of a stream
 * @param retention when a stream removes messages
 * @param maxMessages number of messages that each stream keeps, the newest; null for no limit
 * @param window number of messages of one producer that may wait for an answer; with 1, a message is sent only once the
 *     previous one is confirmed. The default is twice that of {@code nats bench}
 * @param acknowledgeTimeout time after which a message without an answer has failed
 * @param deduplicate true if messages have an id by which a stream recognises those that it already has; unanswered
 *     messages are then sent again when a connection is back
 * @param duplicateWindow time for which a stream remembers the ids of messages; the default is that of NATS
 * @param delivery how messages get to consumers
 * @param pullBatch largest number of messages that a consumer requests at once; the default is that of {@code nats
 *     bench}
 * @param acknowledge false if a message counts as consumed once it is in flight to the consumer
 * @param maxAckPending number of messages of a subscription that may be in flight without an acknowledgement; the
 *     default is that of NATS
 * @param ackWait time after which an unacknowledged message is delivered again; the default is that of NATS
 * @param existingTopics existing streams that replace the run's own, in this order
 * @param maxConnections number of connections that the producers of a worker share at most, and its consumers
 * @param user user name; null for none
 * @param password password of that user
 * @param token token instead of a user; null for none
 * @param nkeySeed private key of an nkey user; null for none
 * @param credentials file with a user's JWT and private key; null for none
 * @param tls encryption of connections; null for none
 */
public record NatsConfig(
        @Default("localhost:4222") String natsHostUrl,
        @Default("[]") List<String> monitoring,
        @Default("JETSTREAM") NatsMode mode,
        @Default("FILE") Storage storage,
        @Default("1") @Range(from = "1", to = "5") int replicationFactor,
        @Default("LIMITS") Retention retention,
        @Range(from = "1") @Nullable Long maxMessages,

        @Default("1000") @Range(from = "1", to = "1_000_000")
        int window,

        @Default("30s") @Range(from = "100ms", to = "1h") Duration acknowledgeTimeout,
        @Default("false") boolean deduplicate,
        @Default("2m") @Range(from = "100ms", to = "24h") Duration duplicateWindow,
        @Default("PULL") Delivery delivery,
        @Default("500") @Range(from = "1", to = "100_000") int pullBatch,
        @Default("true") boolean acknowledge,

        @Default("1000") @Range(from = "1", to = "1_000_000")
        int maxAckPending,

        @Default("30s") @Range(from = "1s", to = "24h") Duration ackWait,
        @Default("[]") List<String> existingTopics,
        @Default("16") @Range(from = "1", to = "10_000") int maxConnections,
        @Nullable String user,
        @Nullable String password,
        @Nullable String token,
        @Nullable String nkeySeed,
        @Nullable String credentials,
        @Nullable NatsTls tls)
        implements Checked {

    /** A feature of NATS that carries messages. */
    public enum NatsMode {

        /** Streams, with a durable consumer for each subscription. */
        JETSTREAM,

        /** Subjects, with a queue group for each subscription. Nothing is stored. */
        CORE
    }

    /** Where a stream keeps its messages. */
    public enum Storage {
        FILE(StorageType.File),
        MEMORY(StorageType.Memory);

        private final StorageType type;

        Storage(StorageType type) {
            this.type = type;
        }

        StorageType type() {
            return type;
        }
    }

    /** When a stream removes a message. */
    public enum Retention {

        /** When a limit is reached. */
        LIMITS(RetentionPolicy.Limits),

        /** When all subscriptions have acknowledged it. */
        INTEREST(RetentionPolicy.Interest),

        /** When the only subscription has acknowledged it. */
        WORK_QUEUE(RetentionPolicy.WorkQueue);

        private final RetentionPolicy policy;

        Retention(RetentionPolicy policy) {
            this.policy = policy;
        }

        RetentionPolicy policy() {
            return policy;
        }
    }

    /** How messages of a stream get to consumers. */
    public enum Delivery {

        /** Each consumer requests messages, {@code pullBatch} at a time. */
        PULL,

        /** The server sends messages, up to {@code maxAckPending}, to the consumers in turn. */
        PUSH
    }

    private static final String SCHEME = "nats://";

    private static final Address.Form MONITOR = new Address.Form(
            "http://host:port or https://host:port", List.of("http", "https"), Address.Port.REQUIRED, false, false);

    @Override
    public void check(Problems problems) {
        servers().forEach(server -> problems.address("natsHostUrl", server));
        monitoring.forEach(monitor -> problems.address("monitoring", monitor, MONITOR));
        problems.require(
                monitoring.isEmpty() || monitoring.size() == servers().size(),
                "monitoring",
                "must have an address for each server of natsHostUrl",
                monitoring);
        problems.require(
                replicationFactor % 2 == 1,
                "replicationFactor",
                "must be 1, 3 or 5, since a majority of the copies decides",
                replicationFactor);
        problems.require(
                retention != Retention.WORK_QUEUE || acknowledge,
                "acknowledge",
                "must be true with retention: WORK_QUEUE, since only an acknowledgement removes a message",
                acknowledge);
        problems.require(
                acknowledge || mode == NatsMode.CORE || delivery == Delivery.PULL,
                "acknowledge",
                "must be true with delivery: PUSH, since only acknowledgements tell the server that a consumer is slow",
                acknowledge);
        problems.require(
                !deduplicate || mode == NatsMode.JETSTREAM,
                "deduplicate",
                "needs mode: JETSTREAM, since subjects keep nothing to compare with",
                deduplicate);
        problems.names("existingTopics", existingTopics);
        problems.require(
                existingTopics.isEmpty() || mode == NatsMode.JETSTREAM,
                "existingTopics",
                "needs mode: JETSTREAM, since subjects keep nothing that a run could use",
                existingTopics);
        checkLogin(problems);
    }

    private void checkLogin(Problems problems) {
        long logins = Stream.of(user, token, nkeySeed, credentials)
                .filter(login -> login != null)
                .count();
        problems.require(logins <= 1, "user", "must be the only one of user, token, nkeySeed and credentials", null);
        problems.require(
                (user == null) == (password == null), "user", "needs a password, and a password needs a user", user);
        problems.readable("credentials", credentials);
    }

    /** Returns {@code host:port} of each server. */
    List<String> servers() {
        return Arrays.stream(natsHostUrl.split(",", -1))
                .map(String::strip)
                .map(server -> server.startsWith(SCHEME) ? server.substring(SCHEME.length()) : server)
                .toList();
    }

    NatsConfig withServers(List<String> servers) {
        return ConfigRecords.with(this, Map.of("natsHostUrl", String.join(",", servers), "monitoring", List.of()));
    }

    NatsConfig withMonitoring(String scheme, List<String> addresses) {
        return ConfigRecords.with(
                this,
                Map.of(
                        "monitoring",
                        addresses.stream()
                                .map(address -> scheme + "://" + address)
                                .toList()));
    }

    /** Returns the monitoring endpoints, with the servers that they belong to. */
    List<NatsMonitor> monitors(Duration timeout) {
        List<String> servers = servers();
        List<NatsMonitor> monitors = new ArrayList<>();
        for (int i = 0; i < Math.min(servers.size(), monitoring.size()); i++) {
            monitors.add(new NatsMonitor(servers.get(i), monitoring.get(i), tls, timeout));
        }
        return monitors;
    }

    Optional<NodeNeeds> nodeNeeds() {
        return mode == NatsMode.JETSTREAM && replicationFactor > 1
                ? Optional.of(new NodeNeeds(replicationFactor, "replicationFactor: " + replicationFactor))
                : Optional.empty();
    }

    /** Returns whether a stream keeps messages that were consumed. */
    boolean keepsConsumed() {
        return mode == NatsMode.JETSTREAM && retention == Retention.LIMITS;
    }

    /** Contains no secrets. */
    @Override
    public String toString() {
        return "NatsConfig[natsHostUrl=" + natsHostUrl + ", mode=" + mode + "]";
    }
}
