package io.openmessaging.benchmark.driver.redis.link;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The node of each key. Immutable. */
public final class RedisTopology {

    private final NavigableMap<Integer, HostAndPort> nodesByFirstSlot;

    private RedisTopology(NavigableMap<Integer, HostAndPort> nodesByFirstSlot) {
        this.nodesByFirstSlot = nodesByFirstSlot;
    }

    /** Returns the topology of a single server. */
    public static RedisTopology single(HostAndPort node) {
        return new RedisTopology(new TreeMap<>(Map.of(0, node)));
    }

    /**
     * Returns the topology of a cluster's masters.
     *
     * @param clusterSlots reply to {@code CLUSTER SLOTS}
     * @param asked node that sent it, which may leave out its own host
     * @throws JedisException if a slot has no node
     */
    public static RedisTopology cluster(List<?> clusterSlots, HostAndPort asked) {
        NavigableMap<Integer, HostAndPort> nodes = new TreeMap<>();
        long covered = 0;
        for (Object range : clusterSlots) {
            List<?> parts = (List<?>) range;
            long first = (Long) parts.get(0);
            long last = (Long) parts.get(1);
            List<?> master = (List<?>) parts.get(2);
            byte[] host = (byte[]) master.get(0);
            String name = host == null || host.length == 0 ? asked.getHost() : new String(host, StandardCharsets.UTF_8);
            nodes.put((int) first, new HostAndPort(name, Math.toIntExact((Long) master.get(1))));
            covered += last - first + 1;
        }
        if (covered != Protocol.CLUSTER_HASHSLOTS) {
            throw new JedisException("only " + covered + " of the cluster's " + Protocol.CLUSTER_HASHSLOTS
                    + " slots are served by a node");
        }
        return new RedisTopology(nodes);
    }

    /** Returns the node that has a key. */
    public HostAndPort nodeOf(String key) {
        int slot = nodesByFirstSlot.size() == 1 ? 0 : JedisClusterCRC16.getSlot(key);
        return nodesByFirstSlot.floorEntry(slot).getValue();
    }

    /** Returns a copy in which one slot belongs to {@code node}. */
    RedisTopology with(int slot, HostAndPort node) {
        NavigableMap<Integer, HostAndPort> nodes = new TreeMap<>(nodesByFirstSlot);
        HostAndPort before = nodes.floorEntry(slot).getValue();
        if (before.equals(node)) {
            return this;
        }
        nodes.put(slot, node);
        if (slot + 1 < Protocol.CLUSTER_HASHSLOTS) {
            nodes.putIfAbsent(slot + 1, before);
        }
        return new RedisTopology(nodes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RedisTopology topology && nodesByFirstSlot.equals(topology.nodesByFirstSlot);
    }

    @Override
    public int hashCode() {
        return nodesByFirstSlot.hashCode();
    }

    /** Returns all nodes, at least one. */
    public List<HostAndPort> nodes() {
        return nodesByFirstSlot.values().stream().distinct().toList();
    }
}
