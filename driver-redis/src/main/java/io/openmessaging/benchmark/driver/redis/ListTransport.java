package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import io.openmessaging.benchmark.driver.redis.link.Links;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Lists: one for each partition and subscription; all consumers of a subscription read all partitions. See
 * {@link SubscriptionWatch} for how producers learn of subscriptions.
 */
final class ListTransport implements Transport {

    private final RedisConfig config;
    private final ControlPlane control;
    private final DriverContext context;
    private final Map<HostAndPort, SubscriptionWatch> watches = new HashMap<>();

    ListTransport(RedisConfig config, ControlPlane control, DriverContext context) {
        this.config = config;
        this.control = control;
        this.context = context;
    }

    @Override
    public List<List<String>> keys(TopicSpec topic) {
        String set = PartitionKeys.subscriptions(topic);
        Set<String> subscriptions = control.jedisOf(set).smembers(set);
        List<List<String>> keys = new ArrayList<>();
        for (int p = 0; p < topic.partitions(); p++) {
            List<String> ofPartition = new ArrayList<>();
            ofPartition.add(PartitionKeys.listOfNobody(topic, p));
            for (String subscription : subscriptions) {
                ofPartition.add(PartitionKeys.list(topic, p, subscription));
            }
            keys.add(ofPartition);
        }
        keys.add(List.of(set));
        return keys;
    }

    @Override
    public Publisher publisher(ProducerSpec spec) throws InterruptedException {
        TopicSpec topic = spec.topic();
        String channel = PartitionKeys.changes(topic);
        SubscriptionWatch watch = watches.computeIfAbsent(
                control.topology().nodeOf(channel),
                node -> new SubscriptionWatch(
                        channel,
                        control.directory(),
                        context.timeout(),
                        new Links(config.clientConfig(context.timeout())),
                        context.events()));
        return watch.publisherOf(topic, control.jedisOf(channel));
    }

    @Override
    public Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups) {
        Deadline deadline = Deadline.in(context.timeout());
        Set<TopicSpec> topics = new LinkedHashSet<>();
        for (ConsumerGroup group : groups) {
            String set = PartitionKeys.subscriptions(group.topic());
            control.jedisOf(set).sadd(set, group.subscription());
            topics.add(group.topic());
        }
        topics.forEach(topic -> announce(topic, deadline));
        return Transport.allPartitions(groups);
    }

    private void announce(TopicSpec topic, Deadline deadline) {
        String channel = PartitionKeys.changes(topic);
        String confirmations = channel + ":" + UUID.randomUUID();
        Jedis jedis = control.jedisOf(channel);
        long listening = jedis.publish(channel, confirmations);
        for (long confirmed = 0; confirmed < listening; confirmed++) {
            double leftSeconds = deadline.leftNs() / (double) TimeUnit.SECONDS.toNanos(1);
            if (leftSeconds == 0 || jedis.blpop(leftSeconds, confirmations) == null) {
                throw new JedisException("waited " + deadline.limit().toMillis() + " ms for producers of topic '"
                        + topic.name() + "' to learn of its subscriptions: " + confirmed + " of " + listening
                        + " connections have confirmed");
            }
        }
    }

    @Override
    public MessageSource source(ConsumerSpec spec, List<Integer> partitions, MessageListener listener, Duration wait) {
        return new ListSource(spec, partitions, config.readCount(), wait, listener);
    }

    @Override
    public void close() {
        watches.values().forEach(SubscriptionWatch::close);
    }
}
