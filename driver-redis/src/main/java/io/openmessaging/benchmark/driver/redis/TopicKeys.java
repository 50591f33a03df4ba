package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;

/** The keys of topics. */
final class TopicKeys {

    /** Created with a stream, which otherwise could not be empty, and removed again. */
    private static final String FOUNDING_GROUP = "created";

    private final RedisConfig config;
    private final ControlPlane control;

    TopicKeys(RedisConfig config, ControlPlane control) {
        this.config = config;
        this.control = control;
    }

    /** Creates empty streams; lists cannot be empty, and channels need nothing. */
    void create(TopicSpec topic) {
        if (config.mode() != RedisMode.STREAM) {
            return;
        }
        for (int p = 0; p < topic.partitions(); p++) {
            String stream = PartitionKeys.partition(topic, p);
            Jedis jedis = control.jedisOf(stream);
            createGroup(jedis, stream, FOUNDING_GROUP);
            jedis.xgroupDestroy(stream, FOUNDING_GROUP);
        }
    }

    /** Creates a group that gets every entry added from now on, and the stream where there is none. */
    static void createGroup(Jedis jedis, String stream, String group) {
        try {
            jedis.xgroupCreate(stream, group, StreamEntryID.XGROUP_LAST_ENTRY, true);
        } catch (JedisDataException e) {
            // Another consumer of the group was first.
            if (e.getMessage() == null || !e.getMessage().startsWith("BUSYGROUP")) {
                throw e;
            }
        }
    }

    /** Consumer groups go with their stream. */
    void delete(TopicSpec topic) {
        Set<String> subscriptions = config.mode() == RedisMode.LIST
                ? control.jedisOf(PartitionKeys.subscriptions(topic)).smembers(PartitionKeys.subscriptions(topic))
                : Set.of();
        for (int p = 0; p < topic.partitions(); p++) {
            List<String> keys = keys(topic, p, subscriptions);
            // In the background: millions of entries would block Redis for others.
            control.jedisOf(keys.get(0)).unlink(keys.toArray(String[]::new));
        }
    }

    private List<String> keys(TopicSpec topic, int partition, Set<String> subscriptions) {
        List<String> keys = new ArrayList<>();
        switch (config.mode()) {
            case STREAM -> keys.add(PartitionKeys.partition(topic, partition));
            case PUBSUB -> keys.add(PartitionKeys.claims(topic));
            case LIST -> {
                keys.add(PartitionKeys.listOfNobody(topic, partition));
                subscriptions.forEach(name -> keys.add(PartitionKeys.list(topic, partition, name)));
                if (partition == 0) {
                    keys.add(PartitionKeys.subscriptions(topic));
                }
            }
            default -> throw new IllegalStateException("a mode without keys: " + config.mode());
        }
        return keys;
    }
}
