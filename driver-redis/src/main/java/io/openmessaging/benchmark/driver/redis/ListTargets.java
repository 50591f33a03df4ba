package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.Collection;
import java.util.List;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/** The lists that a message of a topic is pushed to. Changed by one thread, read by all. */
final class ListTargets {

    private final TopicSpec topic;
    private volatile Rawable[][] listsOfPartitions;

    /** Without a subscription. */
    ListTargets(TopicSpec topic) {
        this.topic = topic;
        this.listsOfPartitions = lists(List.of());
    }

    TopicSpec topic() {
        return topic;
    }

    /** From now on messages go to these subscriptions, and to no other. */
    void update(Collection<String> subscriptions) {
        listsOfPartitions = lists(subscriptions);
    }

    /** At least one, not to be changed. */
    Rawable[] lists(int partition) {
        return listsOfPartitions[partition];
    }

    private Rawable[][] lists(Collection<String> subscriptions) {
        Rawable[][] lists = new Rawable[topic.partitions()][];
        for (int i = 0; i < lists.length; i++) {
            int partition = i;
            // A message that nobody wants is stored, too: a run without consumers measures pushing.
            lists[i] = subscriptions.isEmpty()
                    ? new Rawable[] {RawableFactory.from(PartitionKeys.listOfNobody(topic, partition))}
                    : subscriptions.stream()
                            .map(name -> RawableFactory.from(PartitionKeys.list(topic, partition, name)))
                            .toArray(Rawable[]::new);
        }
        return lists;
    }
}
