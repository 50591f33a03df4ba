package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Makes subscriptions known to Redis and decides which consumer reads which partitions. */
final class Attachment {

    private final RedisConfig config;
    private final ControlPlane control;

    Attachment(RedisConfig config, ControlPlane control) {
        this.config = config;
        this.control = control;
    }

    /** The consumers of one subscription share its messages. */
    private record Subscription(TopicSpec topic, String name) {}

    /**
     * Returns the partitions of each consumer. Where Redis shares messages among consumers, in streams and lists, each
     * reads all of them; a channel belongs to one consumer of a subscription.
     */
    Map<ConsumerSpec, List<Integer>> attach(List<ConsumerSpec> specs, Duration timeout) {
        Map<Subscription, List<ConsumerSpec>> bySubscription = new LinkedHashMap<>();
        specs.forEach(spec -> bySubscription
                .computeIfAbsent(new Subscription(spec.topic(), spec.subscription()), s -> new ArrayList<>())
                .add(spec));
        switch (config.mode()) {
            case STREAM -> bySubscription.keySet().forEach(this::createGroups);
            case LIST -> announce(bySubscription.keySet(), timeout);
            case PUBSUB -> {
                return claimed(bySubscription);
            }
            default -> throw new IllegalStateException("a mode without subscriptions: " + config.mode());
        }
        Map<ConsumerSpec, List<Integer>> partitions = new HashMap<>();
        specs.forEach(spec -> partitions.put(
                spec, IntStream.range(0, spec.topic().partitions()).boxed().toList()));
        return partitions;
    }

    private void createGroups(Subscription subscription) {
        for (int p = 0; p < subscription.topic().partitions(); p++) {
            String stream = PartitionKeys.partition(subscription.topic(), p);
            TopicKeys.createGroup(control.jedisOf(stream), stream, subscription.name());
        }
    }

    // Lists

    private void announce(Set<Subscription> subscriptions, Duration timeout) {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        Set<TopicSpec> topics = new LinkedHashSet<>();
        for (Subscription subscription : subscriptions) {
            String set = PartitionKeys.subscriptions(subscription.topic());
            control.jedisOf(set).sadd(set, subscription.name());
            topics.add(subscription.topic());
        }
        topics.forEach(topic -> announce(topic, deadlineNs, timeout));
    }

    /** See {@link SubscriptionWatch}. */
    private void announce(TopicSpec topic, long deadlineNs, Duration timeout) {
        String channel = PartitionKeys.changes(topic);
        String confirmations = channel + ":" + UUID.randomUUID();
        Jedis jedis = control.jedisOf(channel);
        long listening = jedis.publish(channel, confirmations);
        for (long confirmed = 0; confirmed < listening; confirmed++) {
            double leftSeconds = (deadlineNs - System.nanoTime()) / (double) TimeUnit.SECONDS.toNanos(1);
            if (leftSeconds <= 0 || jedis.blpop(leftSeconds, confirmations) == null) {
                throw new JedisException("waited " + timeout.toMillis() + " ms for producers of topic '" + topic.name()
                        + "' to learn of its subscriptions: " + confirmed + " of " + listening
                        + " connections have confirmed");
            }
        }
    }

    // Channels

    /**
     * Deals out the partitions to the consumers of each subscription in turn, as far as they were not taken in an
     * earlier call, which may have been one of another process.
     */
    private Map<ConsumerSpec, List<Integer>> claimed(Map<Subscription, List<ConsumerSpec>> bySubscription) {
        Map<ConsumerSpec, List<Integer>> partitions = new HashMap<>();
        bySubscription.forEach((subscription, consumers) -> {
            String claims = PartitionKeys.claims(subscription.topic());
            Jedis jedis = control.jedisOf(claims);
            for (int p = 0; p < subscription.topic().partitions(); p++) {
                ConsumerSpec consumer = consumers.get(p % consumers.size());
                String claim = claim(subscription.name(), p);
                if (jedis.hsetnx(claims, claim, Integer.toString(consumer.id())) == 1) {
                    partitions.computeIfAbsent(consumer, c -> new ArrayList<>()).add(p);
                }
            }
        });
        return partitions;
    }

    /** Gives up the partitions of a consumer that has left, so that a later one of its subscription can have them. */
    void release(ConsumerSpec spec, List<Integer> partitions) {
        String claims = PartitionKeys.claims(spec.topic());
        String[] own =
                partitions.stream().map(p -> claim(spec.subscription(), p)).toArray(String[]::new);
        control.jedisOf(claims).hdel(claims, own);
    }

    private static String claim(String subscription, int partition) {
        return partition + ":" + subscription;
    }
}
