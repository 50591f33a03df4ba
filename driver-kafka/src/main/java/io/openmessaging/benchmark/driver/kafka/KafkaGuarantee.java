package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's guarantee under a configuration.
 *
 * @param config configuration from the driver file
 * @param clients settings of its clients
 */
record KafkaGuarantee(KafkaConfig config, ClientProperties clients) {

    /** Broker settings that are the defaults for topics. */
    static final String REPLICAS = "default.replication.factor";

    static final String FLUSH_MESSAGES = "log.flush.interval.messages";

    /**
     * The guarantee of topics that the run creates.
     *
     * @param broker settings of a broker, as far as it discloses them; Kafka's own defaults apply otherwise
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
        String flush = topic.getOrDefault(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, broker.get(FLUSH_MESSAGES));
        Consumption consumption = clients.driverCommits() ? Consumption.ACKNOWLEDGED : Consumption.AUTOMATIC;
        Storage storage = "1".equals(flush) ? Storage.SYNCED : Storage.WRITTEN;
        // With acks=1, an in-sync follower that lags by some messages may become the leader.
        boolean stale = copies > 1 && clients.acks().equals("1");
        return new Guarantee(
                copies,
                acknowledged,
                storage,
                consumption,
                clients.groupType() == GroupType.SHARE ? Order.NONE : Order.PARTITION,
                stale,
                note(stale));
    }

    /** Transactions need no note about copies: their messages are acknowledged only with all in-sync copies. */
    private String note(boolean stale) {
        if (stale) {
            return "a follower that lacks the last messages may become the leader";
        }
        if (!clients.transactional()) {
            return "";
        }
        return "acknowledged when its transaction is committed; consumers read "
                + (clients.readsCommitted() ? "committed messages only" : "uncommitted messages as well");
    }
}
