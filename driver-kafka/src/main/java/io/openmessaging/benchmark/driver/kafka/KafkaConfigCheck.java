package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Finds errors in a configuration without asking a broker: it compares names with those that the client library knows,
 * and checks values against the library's own definitions. A name that is neither known nor close to a known one is
 * accepted: interceptors, metric reporters and login modules read settings of their own.
 */
final class KafkaConfigCheck {

    private static final String TOPIC = "topicConfig";
    private static final String COMMON = "commonConfig";
    private static final String PRODUCER = "producerConfig";
    private static final String CONSUMER = "consumerConfig";

    private static final Address.Form ADDRESSES = new Address.Form(
            "host:port, several of them separated by commas", List.of(), Address.Port.REQUIRED, false, false);

    private static final String FIXED_FORMAT = "is fixed: keys are sent as UTF-8 text, payloads unchanged";

    /** Reasons why certain settings cannot be chosen in a driver file. */
    private static final Map<String, String> NOT_A_CHOICE = Map.of(
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            FIXED_FORMAT,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            FIXED_FORMAT,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            FIXED_FORMAT,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            FIXED_FORMAT,
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
            "is fixed: explicit, each message is acknowledged after it is delivered",
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            "is not supported: all consumers of a subscription would have the same id and fence each other");

    /** Values that these settings always have; repeating them in a driver file changes nothing. */
    private static final Map<String, String> USED_ANYWAY = Map.of(
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            StringSerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class.getName(),
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            StringDeserializer.class.getName(),
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class.getName(),
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
            "explicit");

    /** Settings that are lists of classes; other lists contain names. */
    private static final Set<String> CLASS_LISTS = Set.of(
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);

    private static final Set<String> STORES =
            Set.of(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG);

    private static final Pattern LOGIN_MODULE = Pattern.compile("\\s*([\\w.$]+)\\s");

    /** Settings that clients of share groups refuse. */
    private static final Set<String> NOT_FOR_SHARE_GROUPS = Set.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

    /**
     * One of the texts: its key in the file, the object that its settings belong to, and Kafka's rules for their
     * values.
     */
    private record Block(String key, String text, String subject, Set<String> known, ConfigDef... definitions) {}

    private final KafkaConfig config;
    private final Problems problems;
    private final List<Block> blocks;

    KafkaConfigCheck(KafkaConfig config, Problems problems) {
        this.config = config;
        this.problems = problems;
        ConfigDef admin = AdminClientConfig.configDef();
        ConfigDef producer = ProducerConfig.configDef();
        ConfigDef consumer = ConsumerConfig.configDef();
        this.blocks = List.of(
                new Block(TOPIC, config.topicConfig(), "topic", KafkaSettings.OF_TOPIC),
                new Block(COMMON, config.commonConfig(), "client", KafkaSettings.OF_CLIENTS, admin, producer, consumer),
                new Block(PRODUCER, config.producerConfig(), "producer", KafkaSettings.OF_PRODUCER, producer),
                new Block(CONSUMER, config.consumerConfig(), "consumer", KafkaSettings.OF_CONSUMER, consumer));
    }

    void run() {
        int before = problems.found().size();
        blocks.forEach(this::checkBlock);
        // Errors that only show in combination can be checked only once each single value is valid.
        if (problems.found().size() == before) {
            checkTogether();
        }
    }

    private void checkBlock(Block block) {
        Map<String, String> settings;
        try {
            settings = KafkaSettings.parse(block.text());
        } catch (IllegalArgumentException e) {
            problems.add(block.key(), "must be the text of a Java properties file: " + e.getMessage(), null);
            return;
        }
        settings.forEach((name, value) -> checkName(block, name, value));
        checkValues(block, settings);
        if (block.key().equals(COMMON)) {
            checkAddresses(settings);
        }
    }

    private void checkName(Block block, String name, String value) {
        Problems here = problems.below(block.key());
        if (value.equals(USED_ANYWAY.get(name))) {
            return;
        }
        if (NOT_A_CHOICE.containsKey(name)) {
            here.add(name, NOT_A_CHOICE.get(name), null);
        } else if (name.equals(ProducerConfig.TRANSACTIONAL_ID_CONFIG) && config.transaction() == null) {
            here.add(name, "needs the key transaction, whose ids start with it", null);
        } else if (config.groupType() == GroupType.SHARE
                && NOT_FOR_SHARE_GROUPS.contains(name)
                && List.of(COMMON, CONSUMER).contains(block.key())) {
            here.add(name, "does not apply to consumers of share groups, which groupType selects: remove it", null);
        } else if (name.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
                && !block.key().equals(COMMON)) {
            here.add(name, "belongs in " + COMMON + ": all clients of a run use one cluster", null);
        } else if (!block.known().contains(name)) {
            checkUnknownName(block, name);
        }
    }

    private void checkUnknownName(Block block, String name) {
        Problems here = problems.below(block.key());
        String rule = "is not a setting of a Kafka " + block.subject();
        blocks.stream()
                .filter(other -> other.known().contains(name))
                // The narrowest block comes last: a producer's setting is also valid in the common block.
                .reduce((wide, narrow) -> narrow)
                .ifPresentOrElse(
                        home -> here.add(name, rule + ", it belongs in " + home.key(), null),
                        () -> KafkaSettings.nearest(name, block.known())
                                .ifPresent(near -> here.add(name, rule + ", did you mean '" + near + "'?", null)));
    }

    private void checkValues(Block block, Map<String, String> settings) {
        // One problem per setting: several clients know it, and Kafka's later errors follow from the first.
        Set<String> reported = new HashSet<>();
        for (ConfigDef definition : block.definitions()) {
            for (ConfigValue checked : definition.validate(settings)) {
                String name = checked.name();
                if (isChosen(name, settings) && hasProblem(definition, checked) && reported.add(name)) {
                    String rule = withoutPreamble(checked.errorMessages().get(0), name);
                    problems.below(block.key()).add(name, rule, settings.get(name));
                }
            }
        }
        checkClasses(block, settings);
        checkFiles(block, settings);
    }

    /** Ignores classes: checkClasses reports them. */
    private static boolean hasProblem(ConfigDef definition, ConfigValue checked) {
        ConfigDef.ConfigKey key = definition.configKeys().get(checked.name());
        return !checked.errorMessages().isEmpty() && (key == null || key.type != ConfigDef.Type.CLASS);
    }

    /** Checks that classes can be loaded; Kafka's clients load the classes of a list only when they are created. */
    private void checkClasses(Block block, Map<String, String> settings) {
        Problems here = problems.below(block.key());
        settings.forEach((name, value) -> {
            if (isChosen(name, settings) && isOfClasses(block, name)) {
                Stream.of(value.split(","))
                        .map(String::strip)
                        .filter(className -> !className.isEmpty())
                        .forEach(className -> here.loadable(name, className, KafkaConfigCheck.class));
            }
        });
        Matcher module = LOGIN_MODULE.matcher(settings.getOrDefault(SaslConfigs.SASL_JAAS_CONFIG, ""));
        if (module.lookingAt()) {
            here.loadable(SaslConfigs.SASL_JAAS_CONFIG, module.group(1), KafkaConfigCheck.class);
        }
    }

    private static boolean isOfClasses(Block block, String name) {
        return Stream.of(block.definitions())
                .map(definition -> definition.configKeys().get(name))
                .anyMatch(key -> key != null
                        && (key.type == ConfigDef.Type.CLASS
                                || key.type == ConfigDef.Type.LIST && CLASS_LISTS.contains(name)));
    }

    /** Checks files, which would otherwise be missed only when a client connects. */
    private void checkFiles(Block block, Map<String, String> settings) {
        STORES.forEach(name -> problems.below(block.key()).readable(name, settings.get(name)));
    }

    private static boolean isChosen(String name, Map<String, String> settings) {
        return settings.containsKey(name)
                && !NOT_A_CHOICE.containsKey(name)
                && !name.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }

    /** Removes key and value, which the problem itself names. */
    private static String withoutPreamble(String message, String name) {
        String end = "for configuration " + name + ": ";
        int at = message.indexOf(end);
        return at < 0 ? message : message.substring(at + end.length());
    }

    private void checkAddresses(Map<String, String> settings) {
        Problems here = problems.below(COMMON);
        String name = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
        String addresses = settings.get(name);
        if (addresses == null) {
            here.add(name, "must name the cluster's addresses, host:port,host:port", null);
            return;
        }
        for (String address : addresses.split(",", -1)) {
            here.address(name, KafkaBenchmarkDriver.withoutProtocol(address.strip()), ADDRESSES);
        }
    }

    private void checkTogether() {
        checkReplicas();
        checkSharedClients();
        checkExistingTopics();
        ClientProperties clients = ClientProperties.of(config, "check", "check");
        checkTogether(COMMON, () -> new AdminClientConfig(clients.ofAdmin()));
        if (checkTransaction(clients)) {
            checkTogether(PRODUCER, () -> new ProducerConfig(clients.ofProducer(0)));
        }
        checkTogether(CONSUMER, () -> new ConsumerConfig(ofConsumer(clients)));
    }

    private void checkExistingTopics() {
        List<String> existing = config.existingTopics();
        if (existing.isEmpty()) {
            return;
        }
        String where = " with existingTopics";
        problems.names("existingTopics", existing);
        problems.require(
                config.replicationFactor() == null,
                "replicationFactor",
                "must be absent" + where + ": the topics keep their own",
                config.replicationFactor());
        problems.require(
                config.topicConfig().isBlank(), TOPIC, "must be absent" + where + ": the topics keep their own", null);
        problems.require(
                config.groupType() == GroupType.CONSUMER,
                "groupType",
                "must be CONSUMER" + where + ": a share group cannot be set to start at the end before it reads",
                config.groupType());
    }

    private void checkSharedClients() {
        if (config.sharedClients() == null) {
            return;
        }
        problems.require(
                config.transaction() == null,
                "transaction",
                "must be absent with sharedClients: a client has one transaction at a time, which several producers"
                        + " would share",
                null);
        problems.require(
                config.groupType() == GroupType.CONSUMER,
                "groupType",
                "must be CONSUMER with sharedClients: a client of a share group cannot pause one topic of" + " several",
                config.groupType());
    }

    private Map<String, Object> ofConsumer(ClientProperties clients) {
        Map<String, Object> settings = clients.ofConsumer(0, "check");
        if (config.groupType() == GroupType.SHARE) {
            // Kafka's configuration of share consumers is not public, and the one of other consumers refuses these.
            settings.keySet().removeIf(name -> name.startsWith("share."));
        }
        return settings;
    }

    /** Returns false if acks rules out the transactions asked for; Kafka's own error would talk about idempotence. */
    private boolean checkTransaction(ClientProperties clients) {
        KafkaTransaction transaction = config.transaction();
        if (transaction == null) {
            return true;
        }
        Duration limit = clients.transactionTimeout();
        problems.below("transaction")
                .require(
                        transaction.maxTime().compareTo(limit) < 0,
                        "maxTime",
                        "must be less than the time after which brokers abort the transaction, transaction.timeout.ms="
                                + limit.toMillis(),
                        transaction.maxTime().toMillis() + "ms");
        boolean allAcknowledge = List.of("all", "-1").contains(clients.acks());
        problems.below(PRODUCER)
                .require(allAcknowledge, ProducerConfig.ACKS_CONFIG, "must be all with transaction", clients.acks());
        return allAcknowledge;
    }

    private void checkTogether(String key, Supplier<AbstractConfig> construction) {
        try {
            construction.get();
        } catch (ConfigException e) {
            problems.add(key, "must be a combination that Kafka accepts: " + e.getMessage(), null);
        }
    }

    /** Kafka itself creates such a topic, and then refuses each message until it times out. */
    private void checkReplicas() {
        String inSync = KafkaSettings.parse(config.topicConfig()).get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        Integer factor = config.replicationFactor();
        if (inSync != null && factor != null && inSync.matches("\\d{1,9}")) {
            problems.below(TOPIC)
                    .require(
                            Integer.parseInt(inSync) <= factor,
                            TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                            "must be at most replicationFactor, which is " + factor,
                            inSync);
        }
    }
}
