package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;

/**
 * Publish/subscribe: one channel per partition, which belongs to one consumer of a subscription. A hash in Redis
 * records which consumer has which partition. In a cluster, a message stays on the channel's node.
 */
record ChannelTransport(RedisConfig config, ControlPlane control) implements Transport {

    @Override
    public List<List<String>> keys(TopicSpec topic) {
        return List.of(List.of(PartitionKeys.claims(topic)));
    }

    @Override
    public Publisher publisher(ProducerSpec spec) {
        Command publish = config.isCluster() ? Command.SPUBLISH : Command.PUBLISH;
        Rawable[] channels = PartitionKeys.raw(spec.topic());
        return (sink, partition, key, payload, callback) -> sink.submit(
                new CommandArguments(publish).add(channels[partition]).add(Frame.of(key, payload)), callback);
    }

    /**
     * Distributes the partitions round-robin among the consumers of each subscription, except those taken in an
     * earlier call, which another process may have made.
     */
    @Override
    public Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups) {
        Map<ConsumerSpec, List<Integer>> partitions = new HashMap<>();
        for (ConsumerGroup group : groups) {
            String claims = PartitionKeys.claims(group.topic());
            Jedis jedis = control.jedisOf(claims);
            for (int p = 0; p < group.topic().partitions(); p++) {
                ConsumerSpec consumer = group.members().get(p % group.members().size());
                if (jedis.hsetnx(claims, claim(consumer, p), Integer.toString(consumer.id())) == 1) {
                    partitions.computeIfAbsent(consumer, c -> new ArrayList<>()).add(p);
                }
            }
        }
        return partitions;
    }

    @Override
    public void release(ConsumerSpec spec, List<Integer> partitions) {
        String claims = PartitionKeys.claims(spec.topic());
        control.jedisOf(claims)
                .hdel(claims, partitions.stream().map(p -> claim(spec, p)).toArray(String[]::new));
    }

    private static String claim(ConsumerSpec spec, int partition) {
        return partition + ":" + spec.subscription();
    }

    @Override
    public MessageSource source(ConsumerSpec spec, List<Integer> partitions, MessageListener listener, Duration wait) {
        return new ChannelSource(spec, partitions, config.isCluster(), listener);
    }
}
