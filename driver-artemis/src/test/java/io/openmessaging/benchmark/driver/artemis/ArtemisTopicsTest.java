package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.QueueQueryImpl;
import org.jspecify.annotations.Nullable;
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

    @Test
    void existingQueuesThatAreNotDurableAreFound() throws Exception {
        assertThat(volatileQueues(Map.of("existingTopics", List.of("a::kept", "a::lost", "a::missing", "lost"))))
                .containsExactly("lost");
    }

    @Test
    void withAnycastTheQueueHasTheNameOfTheAddress() throws Exception {
        assertThat(volatileQueues(
                        Map.of("routing", RoutingType.ANYCAST, "existingTopics", List.of("lost", "a::other", "kept"))))
                .containsExactly("lost", "other");
    }

    private static List<String> volatileQueues(Map<String, ?> keys) throws Exception {
        ClientSession session = sessionWith(Map.of("kept", true, "lost", false, "other", false));
        Management management = new Management(session);
        return new ArtemisTopics(session, management, TestConfigs.with(keys), "run", Duration.ofSeconds(30))
                .volatileQueues();
    }

    /** Returns a session that only answers questions about queues: which are there, and whether they are durable. */
    private static ClientSession sessionWith(Map<String, Boolean> durableQueues) {
        InvocationHandler queueQuery = (proxy, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("queueQuery");
            SimpleString name = (SimpleString) arguments[0];
            @Nullable Boolean durable = durableQueues.get(name.toString());
            return new QueueQueryImpl(
                    Boolean.TRUE.equals(durable), false, 0, 0, null, SimpleString.of("a"), name, durable != null);
        };
        return (ClientSession) Proxy.newProxyInstance(
                ClientSession.class.getClassLoader(), new Class<?>[] {ClientSession.class}, queueQuery);
    }
}
