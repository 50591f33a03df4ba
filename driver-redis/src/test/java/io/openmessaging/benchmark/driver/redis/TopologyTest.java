package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.RedisTopology;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

class TopologyTest {

    private static final HostAndPort ASKED = new HostAndPort("asked", 7000);

    private static List<Object> slots(long first, long last, String host, long port) {
        return List.of(first, last, List.of(PartitionKeys.bytes(host), port, PartitionKeys.bytes("id")));
    }

    @Test
    void aSingleServerHasEverything() {
        RedisTopology topology = RedisTopology.single(ASKED);
        assertThat(topology.nodeOf("any")).isEqualTo(ASKED);
        assertThat(topology.nodes()).containsExactly(ASKED);
    }

    @Test
    void eachKeyHasItsNode() {
        RedisTopology topology = RedisTopology.cluster(
                List.of(slots(8000, 16_383, "b", 2), slots(0, 99, "a", 1), slots(100, 7999, "", 3)), ASKED);
        assertThat(topology.nodes())
                .containsExactly(new HostAndPort("a", 1), new HostAndPort("asked", 3), new HostAndPort("b", 2));
        // CRC16 of these keys, as documented by Redis: 12739, with and without braces.
        assertThat(topology.nodeOf("123456789")).isEqualTo(new HostAndPort("b", 2));
        assertThat(topology.nodeOf("{123456789}:list:s")).isEqualTo(new HostAndPort("b", 2));
    }

    @Test
    void allKeysOfAPartitionAreOnOneNodeAndPartitionsSpread() {
        RedisTopology topology =
                RedisTopology.cluster(List.of(slots(0, 8191, "a", 1), slots(8192, 16_383, "b", 2)), ASKED);
        TopicSpec topic = new TopicSpec("topic", 16);
        Set<HostAndPort> nodes = new HashSet<>();
        for (int p = 0; p < topic.partitions(); p++) {
            HostAndPort node = topology.nodeOf(PartitionKeys.partition(topic, p));
            assertThat(topology.nodeOf(PartitionKeys.list(topic, p, "{other}"))).isEqualTo(node);
            assertThat(topology.nodeOf(PartitionKeys.listOfNobody(topic, p))).isEqualTo(node);
            nodes.add(node);
        }
        assertThat(nodes).hasSize(2);
    }

    @Test
    void aClusterWithSlotsOfNobodyIsRefused() {
        assertThatThrownBy(() -> RedisTopology.cluster(List.of(slots(0, 8191, "a", 1)), ASKED))
                .isInstanceOf(JedisException.class)
                .hasMessage("only 8192 of the cluster's 16384 slots are served by a node");
    }
}
