package io.openmessaging.benchmark.driver.rocketmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicQueuesTest {

    private static final List<String> BROKERS = List.of("a", "b", "c");

    @Test
    void partitionsAreNumberedByBrokerThenByQueue() {
        TopicQueues queues = TopicQueues.of("t", route(Map.of("b", 1, "a", 2)));
        assertThat(queues.all())
                .containsExactly(
                        new MessageQueue("t", "a", 0), new MessageQueue("t", "a", 1), new MessageQueue("t", "b", 0));
        assertThat(queues.leaders()).containsExactly("a:1", "a:1", "");
        assertThat(queues.partition(new MessageQueue("t", "b", 0))).isEqualTo(2);
        assertThat(queues.partition(new MessageQueue("t", "b", 1))).isEqualTo(-1);
        assertThat(queues.oneOfEachBroker())
                .containsExactly(new MessageQueue("t", "a", 0), new MessageQueue("t", "b", 0));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3", "4, 3", "7, 3", "300, 3"})
    void partitionsAreSpreadEvenly(int partitions, int brokers) {
        Map<String, Integer> counts = TopicQueues.spread("topic", partitions, BROKERS);
        assertThat(counts).hasSize(brokers);
        assertThat(counts.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(partitions);
        assertThat(counts.values())
                .allSatisfy(count -> assertThat(count)
                        .isBetween(partitions / 3, partitions / 3 + 1)
                        .isPositive());
    }

    @Test
    void smallTopicsBeginAtDifferentBrokers() {
        Set<String> used = IntStream.range(0, 50)
                .mapToObj(i -> TopicQueues.spread("topic-" + i, 1, BROKERS).keySet())
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        assertThat(used).containsExactlyInAnyOrderElementsOf(BROKERS);
    }

    private static TopicRouteData route(Map<String, Integer> counts) {
        List<QueueData> all = new ArrayList<>();
        counts.forEach((broker, count) -> {
            QueueData data = new QueueData();
            data.setBrokerName(broker);
            data.setReadQueueNums(count);
            data.setWriteQueueNums(count);
            all.add(data);
        });
        TopicRouteData route = new TopicRouteData();
        route.setQueueDatas(all);
        route.setBrokerDatas(List.of(
                new BrokerData("cluster", "a", new HashMap<>(Map.of(0L, "a:1", 1L, "slave:1"))),
                new BrokerData("cluster", "b", new HashMap<>(Map.of(2L, "slave:2")))));
        return route;
    }
}
