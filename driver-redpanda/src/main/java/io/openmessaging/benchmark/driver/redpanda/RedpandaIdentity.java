package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.redpanda.AdminApi.AdminAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The identity of the system, as far as it can be determined. There are two sources: Kafka's protocol, in which Apache
 * Kafka reports its metadata version and Redpanda does not, and the Admin API, which may belong to another cluster on
 * the same host.
 *
 * @param description the system's description for a result
 * @param doubt why it is not, or not for certain, Redpanda; empty if it is
 */
record RedpandaIdentity(BrokerDescription description, Optional<String> doubt) {

    private static final String APACHE_KAFKA = "Apache Kafka";

    private static final String UNKNOWN = "unknown, Kafka protocol";

    /**
     * Determines the identity.
     *
     * @param byProtocol the Kafka driver's description of the system
     * @param nodeIds the node ids of the cluster, from Kafka's protocol
     * @param admin the answer of the Admin API
     */
    static RedpandaIdentity of(BrokerDescription byProtocol, Set<Integer> nodeIds, AdminAnswer admin) {
        String where = String.join(",", byProtocol.nodes());
        if (byProtocol.product().equals(APACHE_KAFKA)) {
            return new RedpandaIdentity(
                    byProtocol,
                    Optional.of(where + " is " + APACHE_KAFKA + " " + byProtocol.version() + ", not Redpanda"));
        }
        if (!admin.isOfRedpanda()) {
            return unknown(
                    byProtocol,
                    where + " speaks Kafka's protocol, but no Admin API identifies it as Redpanda: "
                            + String.join("; ", admin.refusals()));
        }
        Set<Integer> adminIds = admin.brokers().stream()
                .map(AdminAnswer.BrokerEntry::nodeId)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!adminIds.containsAll(nodeIds)) {
            return unknown(
                    byProtocol,
                    where + " has the nodes " + new TreeSet<>(nodeIds) + ", but the Admin API at " + admin.url()
                            + " belongs to a Redpanda cluster with the nodes " + adminIds);
        }
        return new RedpandaIdentity(redpanda(byProtocol, admin), Optional.empty());
    }

    private static RedpandaIdentity unknown(BrokerDescription byProtocol, String doubt) {
        return new RedpandaIdentity(
                new BrokerDescription(UNKNOWN, byProtocol.version(), byProtocol.nodes(), byProtocol.settings()),
                Optional.of(doubt));
    }

    private static BrokerDescription redpanda(BrokerDescription byProtocol, AdminAnswer admin) {
        Map<String, String> settings = new TreeMap<>(byProtocol.settings());
        settings.putAll(admin.settings());
        settings.put(
                "cores",
                Integer.toString(admin.brokers().stream()
                        .mapToInt(AdminAnswer.BrokerEntry::cores)
                        .sum()));
        return new BrokerDescription("Redpanda", version(admin), byProtocol.nodes(), settings);
    }

    /** Returns the version without the revision; all versions if the brokers differ, as during an upgrade. */
    private static String version(AdminAnswer admin) {
        List<String> versions = admin.brokers().stream()
                .flatMap(broker -> broker.version().stream())
                .map(RedpandaIdentity::number)
                .distinct()
                .sorted()
                .toList();
        if (versions.isEmpty()) {
            return number(admin.settings().getOrDefault("redpanda version", "unknown"));
        }
        return String.join(", ", versions);
    }

    /** Returns {@code 24.3.8} for {@code v24.3.8 - b1dd9f54ab}. */
    private static String number(String version) {
        return version.replaceFirst("^v(?=\\d)", "").replaceFirst("\\s.*$", "");
    }
}
