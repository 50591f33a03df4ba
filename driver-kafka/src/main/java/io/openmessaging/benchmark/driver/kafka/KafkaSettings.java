package io.openmessaging.benchmark.driver.kafka;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;

/** The names of Kafka's settings, as the client library in use knows them. */
final class KafkaSettings {

    static final Set<String> OF_PRODUCER = Set.copyOf(ProducerConfig.configNames());
    static final Set<String> OF_CONSUMER = Set.copyOf(ConsumerConfig.configNames());
    static final Set<String> OF_ADMIN = Set.copyOf(AdminClientConfig.configNames());
    static final Set<String> OF_CLIENTS = union(OF_PRODUCER, OF_CONSUMER, OF_ADMIN);
    static final Set<String> OF_TOPIC = topicSettings();

    /** How many letters may differ for an unknown name to be taken for a misspelling of a known one. */
    private static final int MAX_MISSPELT_LETTERS = 2;

    private KafkaSettings() {}

    /** The known name that an unknown one is most likely to mean; empty if none is near. */
    static Optional<String> nearest(String name, Set<String> known) {
        String lower = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> distance(lower, candidate) <= MAX_MISSPELT_LETTERS)
                .min(Comparator.<String>comparingInt(candidate -> distance(lower, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** How many letters have to be inserted, left out or replaced to make one text the other (Levenshtein). */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /** The library has no list of them, only constants. */
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
            throw new IllegalStateException("A public constant of Kafka cannot be read: " + field, e);
        }
    }

    @SafeVarargs
    private static Set<String> union(Set<String>... sets) {
        Set<String> all = new TreeSet<>();
        for (Set<String> set : sets) {
            all.addAll(set);
        }
        return Set.copyOf(all);
    }
}
