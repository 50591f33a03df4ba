package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Misspelling;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;

/** Kafka's settings: parses their texts in driver files, and lists their names in the client library in use. */
final class KafkaSettings {

    static final Set<String> OF_PRODUCER = Set.copyOf(ProducerConfig.configNames());
    static final Set<String> OF_CONSUMER = Set.copyOf(ConsumerConfig.configNames());
    static final Set<String> OF_ADMIN = Set.copyOf(AdminClientConfig.configNames());
    static final Set<String> OF_CLIENTS =
            Stream.of(OF_PRODUCER, OF_CONSUMER, OF_ADMIN).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    static final Set<String> OF_TOPIC = topicSettings();

    /** Number of letters by which an unknown name may differ from the known name that it misspells. */
    private static final int MAX_MISSPELT_LETTERS = 2;

    private KafkaSettings() {}

    /**
     * Parses a text in the form of a Java properties file. The result is sorted by name, and values are stripped of
     * surrounding blanks. If a name occurs twice, the last value counts.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static Map<String, String> parse(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read a text in memory.", e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> settings.put(name, properties.getProperty(name).strip()));
        return settings;
    }

    /** The known name that an unknown one most likely means; empty if none is close. */
    static Optional<String> nearest(String name, Set<String> known) {
        return Misspelling.meant(name, new TreeSet<>(known), MAX_MISSPELT_LETTERS);
    }

    /** Reads the names from constants: the library has no list of them. */
    private static Set<String> topicSettings() {
        return Arrays.stream(TopicConfig.class.getFields())
                .filter(field -> field.getName().endsWith("_CONFIG") && field.getType() == String.class)
                .map(KafkaSettings::constant)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String constant(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Cannot read a public constant of Kafka: " + field, e);
        }
    }
}
