package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    @Test
    void onePartitionIsTheAddressOfTheTopicItself() {
        assertThat(Partitions.address(new TopicSpec("orders", 1), 0).toString()).isEqualTo("orders");
    }

    @Test
    void severalPartitionsAreAnAddressEach() {
        TopicSpec topic = new TopicSpec("orders", 3);

        assertThat(IntStream.range(0, 3).mapToObj(i -> Partitions.address(topic, i)))
                .map(SimpleString::toString)
                .containsExactly("orders.0", "orders.1", "orders.2");
    }

    @Test
    void aQueueIsNoAddressOfAPartition() {
        // Names of subscriptions may be numbers.
        assertThat(Partitions.queue(SimpleString.of("orders"), "0").toString())
                .isEqualTo("orders..0")
                .isNotEqualTo(Partitions.part("orders", 0).toString());
    }

    @Test
    void keysReachAllPartitionsAndEachAlwaysTheSame() {
        Set<Integer> reached = IntStream.range(0, 1000)
                .map(i -> Partitions.of("key-" + i, 16))
                .boxed()
                .collect(Collectors.toSet());

        assertThat(reached)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 16).boxed().toList());
        assertThat(Partitions.of("key-7", 16)).isEqualTo(Partitions.of("key-" + 7, 16));
    }

    @Test
    void aNegativeHashIsNoNegativePartition() {
        String key = IntStream.range(0, 1000)
                .mapToObj(i -> "key-" + i + "-of-a-text-that-is-long")
                .filter(text -> text.hashCode() < 0)
                .findFirst()
                .orElseThrow();

        assertThat(Partitions.of(key, 7)).isBetween(0, 6);
    }
}
