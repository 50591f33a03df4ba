package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * The guarantee of a system that speaks Kafka's protocol, under a configuration.
 *
 * @param config configuration from the driver file
 * @param clients settings of its clients
 * @param driver driver of the system
 */
record KafkaGuarantee(KafkaConfig config, ClientProperties clients, KafkaBenchmarkDriver driver) {

    /** Broker settings that are the defaults for topics. */
    static final String REPLICAS = "default.replication.factor";

    static final String FLUSH_MESSAGES = "log.flush.interval.messages";

    private static final String UNCLEAN = TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;

    private static final List<Storage> FROM_THE_WEAKEST =
            List.of(Storage.MEMORY, Storage.WRITTEN, Storage.UNKNOWN, Storage.SYNCED_ONCE, Storage.SYNCED);

    /**
     * The guarantee of topics that the run creates.
     *
     * @param broker settings of a broker, as far as it discloses them. For others, Kafka's defaults apply, which are
     *     the weakest values, except for unclean leader election, which counts as on
     */
    Guarantee of(Map<String, String> broker) {
        @Nullable Integer replicas = config.replicationFactor();
        return of(
                broker,
                KafkaSettings.parse(config.topicConfig()),
                replicas == null ? Integer.parseInt(broker.getOrDefault(REPLICAS, "1")) : replicas);
    }

    /**
     * The guarantee of a topic.
     *
     * @param topic settings of the topic
     * @param copies number of brokers that store it
     */
    Guarantee of(Map<String, String> broker, Map<String, String> topic, int copies) {
        String inSync = topic.getOrDefault(
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                broker.getOrDefault(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
        int acknowledged = switch (clients.acks()) {
            case "0" -> 0;
            case "1" -> 1;
            default -> Math.min(copies, Integer.parseInt(inSync));
        };
        boolean unclean = !"false".equalsIgnoreCase(topic.getOrDefault(UNCLEAN, broker.get(UNCLEAN)));
        // With acks=1, an in-sync follower that lags by some messages may become the leader. In an unclean election,
        // any
        // follower may, if none in sync is left.
        boolean stale = copies > 1 && acknowledged == 1 && (clients.acks().equals("1") || unclean);
        String flush = topic.getOrDefault(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, broker.get(FLUSH_MESSAGES));
        // After a power cut, a follower that lacks messages may be the first to return, as with SYNCED_ONCE.
        Storage synced = unclean && acknowledged > 1 && acknowledged < copies ? Storage.SYNCED_ONCE : Storage.SYNCED;
        Guarantee ofKafka = new Guarantee(
                copies,
                acknowledged,
                "1".equals(flush) ? synced : Storage.WRITTEN,
                clients.driverCommits() ? Consumption.ACKNOWLEDGED : Consumption.AUTOMATIC,
                clients.groupType() == GroupType.SHARE ? Order.NONE : Order.PARTITION,
                stale,
                note(stale));
        return driver.guarantee(ofKafka, clients.acks(), topic);
    }

    private String note(boolean stale) {
        String leader = "";
        if (stale) {
            leader = "a follower that lacks the last messages may become the leader"
                    + (clients.acks().equals("1") ? "" : " unless unclean leader election is off");
        }
        if (!clients.transactional()) {
            return leader;
        }
        return "acknowledged when its transaction is committed; consumers read "
                + (clients.readsCommitted() ? "committed messages only" : "uncommitted messages as well")
                + (stale ? "; " + leader : "");
    }

    /** Returns what holds for all of some topics: the weakest value of each part of their guarantees. */
    static Guarantee weakest(List<Guarantee> ofTopics) {
        Guarantee any = ofTopics.get(0);
        return new Guarantee(
                ofTopics.stream().mapToInt(Guarantee::copies).min().orElseThrow(),
                ofTopics.stream().mapToInt(Guarantee::acknowledgedCopies).min().orElseThrow(),
                ofTopics.stream()
                        .map(Guarantee::storage)
                        .min(Comparator.comparingInt(FROM_THE_WEAKEST::indexOf))
                        .orElseThrow(),
                any.consumption(),
                any.order(),
                ofTopics.stream().anyMatch(Guarantee::staleTakeover),
                ofTopics.stream()
                        .map(Guarantee::note)
                        .filter(note -> !note.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("; ")));
    }
}
