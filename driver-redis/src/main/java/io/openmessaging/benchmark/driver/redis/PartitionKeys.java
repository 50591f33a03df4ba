package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/**
 * The names of the keys and channels of a topic. All those of one partition have the part in braces in common, by which
 * alone Redis Cluster decides where a key lies: a partition lives on one node, the partitions of a topic spread.
 */
final class PartitionKeys {

    private PartitionKeys() {}

    /** The stream or the channel of a partition; an existing topic is a key. */
    static String partition(TopicSpec topic, int partition) {
        return topic.existing() ? topic.name() : "{" + topic.name() + ":" + partition + "}";
    }

    /** The streams or the channels of a topic. */
    static List<String> partitions(TopicSpec topic) {
        return IntStream.range(0, topic.partitions())
                .mapToObj(p -> partition(topic, p))
                .toList();
    }

    /** The same as they are sent. */
    static Rawable[] raw(TopicSpec topic) {
        return partitions(topic).stream().map(RawableFactory::from).toArray(Rawable[]::new);
    }

    /** Whether a key may be the stream of a partition. */
    static boolean isPartition(String key) {
        return key.startsWith("{") && key.indexOf('}') == key.length() - 1;
    }

    /** Whether a key may be the list of a subscription or of nobody. */
    static boolean isList(String key) {
        return key.startsWith("{") && (key.contains("}:list:") || key.endsWith("}:unsubscribed"));
    }

    /** The list of a subscription. */
    static String list(TopicSpec topic, int partition, String subscription) {
        return partition(topic, partition) + ":list:" + subscription;
    }

    /** The list that messages go to while the topic has no subscription. */
    static String listOfNobody(TopicSpec topic, int partition) {
        return partition(topic, partition) + ":unsubscribed";
    }

    /** The set of the topic's subscriptions, in mode LIST. */
    static String subscriptions(TopicSpec topic) {
        return partition(topic, 0) + ":subscriptions";
    }

    /** The channel on which changes of {@link #subscriptions} are announced. */
    static String changes(TopicSpec topic) {
        return partition(topic, 0) + ":changes";
    }

    /** Which consumer has taken which partition for its subscription, in mode PUBSUB. */
    static String claims(TopicSpec topic) {
        return partition(topic, 0) + ":claims";
    }

    /** As Redis takes it. */
    static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
