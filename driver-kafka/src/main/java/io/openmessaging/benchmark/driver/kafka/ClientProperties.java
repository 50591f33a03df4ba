package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of each Kafka client of a run: those of the driver file, where a client's own take precedence over the
 * common ones, and those that the driver adds.
 *
 * @param common settings of all clients, from the driver file
 * @param producer settings of the producers, from the driver file
 * @param consumer settings of the consumers, from the driver file
 * @param runId prefix of the clients' names, unless the driver file names them
 * @param groupType group type of the consumers
 * @param transactional true if producers send in transactions
 */
record ClientProperties(
        Map<String, String> common,
        Map<String, String> producer,
        Map<String, String> consumer,
        String runId,
        GroupType groupType,
        boolean transactional) {

    /** System property whose value replaces the placeholder of the same name in a {@code client.id}. */
    static final String ZONE_ID = "zone.id";

    private static final String READ_COMMITTED = "read_committed";

    /** Default of Kafka's client. */
    private static final String DEFAULT_TRANSACTION_TIMEOUT_MS = "60000";

    private static final String ZONE_ID_PLACEHOLDER = "{" + ZONE_ID + "}";

    /**
     * Reads the settings of a configuration.
     *
     * @param zoneId replacement for {@code {zone.id}}; null if unknown
     * @throws IllegalArgumentException if a {@code client.id} contains the placeholder and there is no zone; the
     *     message is a sentence for the user
     */
    static ClientProperties of(KafkaConfig config, String runId, @Nullable String zoneId) {
        return new ClientProperties(
                settings(config.commonConfig(), zoneId),
                settings(config.producerConfig(), zoneId),
                settings(config.consumerConfig(), zoneId),
                runId,
                config.groupType(),
                config.transaction() != null);
    }

    private static Map<String, String> settings(String text, @Nullable String zoneId) {
        Map<String, String> settings = KafkaSettings.parse(text);
        String clientId = settings.get(CommonClientConfigs.CLIENT_ID_CONFIG);
        if (clientId != null && clientId.contains(ZONE_ID_PLACEHOLDER)) {
            if (zoneId == null) {
                throw new IllegalArgumentException("client.id is '" + clientId
                        + "', but the system property zone.id is not set: start with -Dzone.id=…");
            }
            settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId.replace(ZONE_ID_PLACEHOLDER, zoneId));
        }
        return settings;
    }

    /** Returns these settings for consumers whose groups start at the oldest existing message. */
    ClientProperties fromTheOldest() {
        return beginning("earliest");
    }

    /** Returns these settings for consumers whose groups start after the newest existing message. */
    ClientProperties fromTheEnd() {
        return beginning("latest");
    }

    private ClientProperties beginning(String reset) {
        Map<String, String> changed = new HashMap<>(consumer);
        changed.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, reset);
        return new ClientProperties(common, producer, changed, runId, groupType, transactional);
    }

    /** Settings of the client that creates topics and describes the cluster. */
    Map<String, Object> ofAdmin() {
        return merged(Map.of(), KafkaSettings.OF_ADMIN, "admin");
    }

    /** Settings of one producer. */
    Map<String, Object> ofProducer(int id) {
        Map<String, Object> settings = ofProducer("producer-" + id);
        if (transactional) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalPrefix() + runId + ".producer-" + id);
        }
        return settings;
    }

    /** Settings of a client that several producers share. */
    Map<String, Object> ofSharedProducer(int number) {
        return ofProducer("shared-producer-" + number);
    }

    private Map<String, Object> ofProducer(String name) {
        Map<String, Object> settings = merged(producer, KafkaSettings.OF_PRODUCER, name);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return settings;
    }

    /** Returns the driver file's prefix; clusters may allow only transactional ids with a certain prefix. */
    private String transactionalPrefix() {
        String chosen = ofProducers(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "");
        return chosen.isEmpty() ? "" : chosen + ".";
    }

    /** Time after which a broker aborts a transaction that has not ended. */
    Duration transactionTimeout() {
        return Duration.ofMillis(Integer.parseInt(
                ofProducers(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, DEFAULT_TRANSACTION_TIMEOUT_MS)));
    }

    /** Settings of one consumer. */
    Map<String, Object> ofConsumer(int id, String groupId) {
        return ofConsumer("consumer-" + id, groupId);
    }

    /** Settings of a client that several consumers share. */
    Map<String, Object> ofSharedConsumer(int number, String groupId) {
        return ofConsumer("shared-consumer-" + number, groupId);
    }

    private Map<String, Object> ofConsumer(String name, String groupId) {
        Map<String, Object> settings = merged(consumer, KafkaSettings.OF_CONSUMER, name);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        if (groupType == GroupType.SHARE) {
            settings.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
        } else {
            settings.putIfAbsent(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
            if (transactional) {
                settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, READ_COMMITTED);
            }
        }
        // A consumer must not recreate a topic that was deleted while it reads.
        settings.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return settings;
    }

    /**
     * Prefix of all consumer group names of the run: the {@code group.id} of the driver file, if any (clusters may
     * allow only groups with a certain prefix), and the run's id, so that groups of two runs never mix.
     */
    String groupPrefix() {
        String chosen = ofConsumers(ConsumerConfig.GROUP_ID_CONFIG, "");
        return (chosen.isEmpty() ? "" : chosen + ".") + runId + ".";
    }

    /** Returns whether the driver commits offsets, rather than Kafka's client at intervals. */
    boolean driverCommits() {
        return !Boolean.parseBoolean(ofConsumers(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false"));
    }

    boolean logsInBySasl() {
        return securityProtocol().startsWith("SASL");
    }

    /** Protocol between clients and listeners: {@code PLAINTEXT}, {@code SSL}, or either with SASL. */
    String securityProtocol() {
        return common.getOrDefault(
                CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, CommonClientConfigs.DEFAULT_SECURITY_PROTOCOL);
    }

    /** Number of brokers that producers wait for: {@code 0}, {@code 1}, or {@code all}, which is also {@code -1}. */
    String acks() {
        return ofProducers(ProducerConfig.ACKS_CONFIG, "all");
    }

    /** Returns whether consumers receive messages of transactions only after the commit. */
    boolean readsCommitted() {
        return ofConsumers(ConsumerConfig.ISOLATION_LEVEL_CONFIG, transactional ? READ_COMMITTED : "")
                .equals(READ_COMMITTED);
    }

    private String ofProducers(String name, String absent) {
        return producer.getOrDefault(name, common.getOrDefault(name, absent));
    }

    private String ofConsumers(String name, String absent) {
        return consumer.getOrDefault(name, common.getOrDefault(name, absent));
    }

    private Map<String, Object> merged(Map<String, String> own, Set<String> known, String clientName) {
        Map<String, Object> settings = new HashMap<>();
        common.forEach((name, value) -> {
            // A client warns about each unknown setting, so settings of the other clients are left out.
            if (known.contains(name) || !KafkaSettings.OF_CLIENTS.contains(name)) {
                settings.put(name, value);
            }
        });
        settings.putAll(own);
        settings.putIfAbsent(CommonClientConfigs.CLIENT_ID_CONFIG, runId + "-" + clientName);
        return settings;
    }
}
