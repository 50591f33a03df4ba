package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;

class ArtemisTopicsTest {

    @Test
    void onePartitionIsTheAddressOfTheTopicItself() {
        assertThat(ArtemisTopics.address(new TopicSpec("orders", 1), 0).toString())
                .isEqualTo("orders");
    }

    @Test
    void severalPartitionsAreAnAddressEach() {
        TopicSpec topic = new TopicSpec("orders", 3);

        assertThat(IntStream.range(0, 3).mapToObj(i -> ArtemisTopics.address(topic, i)))
                .map(SimpleString::toString)
                .containsExactly("orders.0", "orders.1", "orders.2");
    }

    @Test
    void aQueueIsNoAddressOfAPartition() {
        // Subscription names may be numbers.
        assertThat(ArtemisTopics.queue(SimpleString.of("orders"), "0").toString())
                .isEqualTo("orders..0")
                .isNotEqualTo(ArtemisTopics.part("orders", 0).toString());
    }
}
