package io.openmessaging.benchmark.driver.kafka;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Maps brokers to releases of Apache Kafka. A broker does not report its release, but it reports the highest supported
 * level of the feature {@code metadata.version}, which each release has raised.
 */
final class KafkaReleases {

    /** The feature that numbers the formats of a cluster's metadata; brokers without ZooKeeper have it since 3.3. */
    static final String METADATA_VERSION = "metadata.version";

    /** The first level of each release, from {@code MetadataVersion} of Kafka 4.4.0. */
    private static final NavigableMap<Integer, String> FIRST_LEVELS = new TreeMap<>(Map.ofEntries(
            Map.entry(7, "3.3"),
            Map.entry(8, "3.4"),
            Map.entry(9, "3.5"),
            Map.entry(12, "3.6"),
            Map.entry(15, "3.7"),
            Map.entry(20, "3.8"),
            Map.entry(21, "3.9"),
            Map.entry(22, "4.0"),
            Map.entry(26, "4.1"),
            Map.entry(28, "4.2"),
            Map.entry(30, "4.3"),
            Map.entry(31, "4.4")));

    /** The last level of the last release in the table. */
    private static final int LAST_KNOWN_LEVEL = 33;

    private KafkaReleases() {}

    /** The release, without patch number, of a broker that supports {@code metadata.version} up to this level. */
    static String supportingUpTo(int level) {
        if (level > LAST_KNOWN_LEVEL) {
            return "newer than " + FIRST_LEVELS.lastEntry().getValue();
        }
        Map.Entry<Integer, String> release = FIRST_LEVELS.floorEntry(level);
        return release == null ? "unknown" : release.getValue();
    }
}
