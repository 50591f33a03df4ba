package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerGroupTest {

    private static ConsumerSpec consumer(int id, TopicSpec topic, String subscription) {
        return new ConsumerSpec(id, topic, subscription, (key, payload, partition) -> {});
    }

    @Test
    void aGroupIsATopicAndASubscription() {
        TopicSpec a = new TopicSpec("a", 1);
        TopicSpec b = new TopicSpec("b", 1);
        ConsumerSpec first = consumer(0, a, "s");
        ConsumerSpec onAnother = consumer(1, b, "s");
        ConsumerSpec ofAnother = consumer(2, a, "t");
        ConsumerSpec second = consumer(3, a, "s");
        assertThat(ConsumerGroup.of(List.of(first, onAnother, ofAnother, second)))
                .containsExactly(
                        new ConsumerGroup(a, "s", List.of(first, second)),
                        new ConsumerGroup(b, "s", List.of(onAnother)),
                        new ConsumerGroup(a, "t", List.of(ofAnother)));
        assertThat(ConsumerGroup.of(List.of())).isEmpty();
    }
}
