package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/**
 * The names of the keys and channels of a topic. All names of one partition share the part in braces, which alone
 * determines where Redis Cluster places a key: one node has the whole partition, while the partitions of a topic
 * spread over the nodes.
 */
final class PartitionKeys {

    private PartitionKeys() {}

    /** Returns the stream or channel of a partition; an existing topic is a single key. */
    static String partition(TopicSpec topic, int partition) {
        return topic.existing() ? topic.name() : "{" + topic.name() + ":" + partition + "}";
    }

    /** Returns the streams or channels of a topic. */
    static List<String> partitions(TopicSpec topic) {
        return IntStream.range(0, topic.partitions())
                .mapToObj(p -> partition(topic, p))
                .toList();
    }

    /** Returns the streams or channels of a topic, encoded for sending. */
    static Rawable[] raw(TopicSpec topic) {
        return partitions(topic).stream().map(RawableFactory::from).toArray(Rawable[]::new);
    }

    /** Returns whether a key may be the stream of a partition. */
    static boolean isPartition(String key) {
        return key.startsWith("{") && key.indexOf('}') == key.length() - 1;
    }

    /** Returns whether a key may be the list of a subscription, or the one used without subscriptions. */
    static boolean isList(String key) {
        return key.startsWith("{") && (key.contains("}:list:") || key.endsWith("}:unsubscribed"));
    }

    /** Returns the list of a partition and a subscription. */
    static String list(TopicSpec topic, int partition, String subscription) {
        return partition(topic, partition) + ":list:" + subscription;
    }

    /** Returns the list that messages go to while the topic has no subscription. */
    static String listOfNobody(TopicSpec topic, int partition) {
        return partition(topic, partition) + ":unsubscribed";
    }

    /** Returns the key of the set of the topic's subscriptions, in mode LIST. */
    static String subscriptions(TopicSpec topic) {
        return partition(topic, 0) + ":subscriptions";
    }

    /** Returns the channel on which changes of {@link #subscriptions} are announced. */
    static String changes(TopicSpec topic) {
        return partition(topic, 0) + ":changes";
    }

    /** Returns the key of the hash of consumers by partition and subscription, in mode PUBSUB. */
    static String claims(TopicSpec topic) {
        return partition(topic, 0) + ":claims";
    }

    /** Encodes a key as UTF-8. */
    static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
