package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class TopologyTest {

    private final Topology topology = new Topology("abc", 3, 4, 2, 5, 6);

    @Test
    void topicsAreNamedAfterTheRunAndNumbered() {
        assertThat(topology.topics())
                .containsExactly(
                        new TopicSpec("test-topic-abc-00000", 4),
                        new TopicSpec("test-topic-abc-00001", 4),
                        new TopicSpec("test-topic-abc-00002", 4));
        assertThat(Topology.subscriptionName(7)).isEqualTo("sub-007");
    }

    /** A system may reject other digits in a name. */
    @Test
    void namesHaveTheSameDigitsInEveryLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(new Topology("abc", 1, 1, 1, 1, 1).topics().get(0).name())
                    .isEqualTo("test-topic-abc-00000");
            assertThat(Topology.subscriptionName(7)).isEqualTo("sub-007");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void producersAreNumberedTopicByTopic() {
        assertThat(topology.producers())
                .containsExactly(
                        new Topology.Producer(0, 0),
                        new Topology.Producer(1, 0),
                        new Topology.Producer(2, 1),
                        new Topology.Producer(3, 1),
                        new Topology.Producer(4, 2),
                        new Topology.Producer(5, 2));
        assertThat(topology.firstProducer(2)).isEqualTo(4);
        assertThat(topology.producersByTopic())
                .isEqualTo(Map.of(
                        "test-topic-abc-00000", List.of(0, 1),
                        "test-topic-abc-00001", List.of(2, 3),
                        "test-topic-abc-00002", List.of(4, 5)));
    }

    @Test
    void everySubscriptionOfEveryTopicHasItsConsumers() {
        assertThat(topology.consumers()).hasSize(3 * 5 * 6);
        assertThat(topology.consumerCount()).isEqualTo(topology.consumers().size());
        assertThat(topology.producerCount()).isEqualTo(topology.producers().size());
        assertThat(topology.consumers()).extracting(Topology.Consumer::id).doesNotHaveDuplicates();
        assertThat(topology.consumers())
                .filteredOn(consumer -> consumer.topic() == 1 && consumer.subscription() == 4)
                .hasSize(6);
    }

    @Test
    void everyWayFromAPartitionToASubscriptionHasANumberOfItsOwn() {
        Set<Integer> numbers = new HashSet<>();
        Set<String> words = new HashSet<>();
        for (int topic = 0; topic < 3; topic++) {
            for (int subscription = 0; subscription < 5; subscription++) {
                for (int partition = 0; partition < 4; partition++) {
                    int number = topology.probeIndex(topic, subscription, partition);
                    assertThat(number).isBetween(0, topology.probeCount() - 1);
                    numbers.add(number);
                    words.add(topology.describeProbe(number));
                    assertThat(topology.describeProbe(number))
                            .isEqualTo("topic test-topic-abc-0000" + topic + ", partition " + partition
                                    + " to subscription sub-00" + subscription);
                }
            }
        }
        assertThat(numbers).hasSize(topology.probeCount());
        assertThat(words).hasSize(topology.probeCount());
    }

    @Test
    void whereNoMessageTellsItsPartitionATopicHasOneWayToEachSubscription() {
        Topology untold = new Topology("abc", 3, 4, 2, 5, 6, new Topology.TopicKind(List.of(), false));
        assertThat(untold.probeCount()).isEqualTo(3 * 5);
        assertThat(untold.probeIndex(2, 4, 0)).isEqualTo(14);
        assertThat(untold.topic(0).partitions())
                .as("of the topic that is created")
                .isEqualTo(4);
    }

    @Test
    void withoutConsumersThereIsNoWay() {
        assertThat(new Topology("abc", 3, 4, 2, 0, 6).hasConsumers()).isFalse();
        assertThat(new Topology("abc", 3, 4, 2, 5, 0).hasConsumers()).isFalse();
        assertThat(new Topology("abc", 3, 4, 2, 0, 6).probeCount()).isZero();
        assertThat(new Topology("abc", 3, 4, 2, 5, 0).probeCount()).isZero();
        assertThat(new Topology("abc", 3, 4, 2, 0, 6).consumers()).isEmpty();
    }

    @Test
    void clientsThatComeLaterHaveTheNumbersThatTheyWouldHaveHadAtOnce() {
        Topology topology = new Topology("run", 2, 1, 3, 2, 3);
        List<Topology.Producer> producers = new ArrayList<>(topology.producers(0, 1));
        producers.addAll(topology.producers(1, 3));
        assertThat(producers).containsExactlyInAnyOrderElementsOf(topology.producers());
        assertThat(topology.producers(1, 2)).extracting(Topology.Producer::id).containsExactly(1, 4);

        List<Topology.Consumer> consumers = new ArrayList<>(topology.consumers(0, 2));
        consumers.addAll(topology.consumers(2, 3));
        assertThat(consumers).containsExactlyInAnyOrderElementsOf(topology.consumers());
        assertThat(topology.consumers(2, 3)).extracting(Topology.Consumer::id).containsExactly(2, 5, 8, 11);
    }
}
