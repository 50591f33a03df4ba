package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Storage;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests three servers. */
@LongSuite("starts a cluster")
class ClusterIT {

    @RegisterExtension
    static final LocalNats NATS = new LocalNats(Setup.ofNodes(3));

    private static DriverSession open(Map<String, ?> keys) throws Exception {
        return DriverSession.open(new NatsBenchmarkDriver(), NATS.config(keys), TIMEOUT);
    }

    static Stream<Map<String, ?>> waysToCarryMessages() {
        return Stream.of(
                Map.of("replicationFactor", 3),
                Map.of("replicationFactor", 3, "storage", Storage.MEMORY),
                Map.of("replicationFactor", 1),
                Map.of("mode", NatsMode.CORE));
    }

    @ParameterizedTest
    @MethodSource("waysToCarryMessages")
    void messagesTravelBetweenServers(Map<String, ?> keys) throws Exception {
        try (DriverSession session = open(keys);
                DriverSession other = session.openOfSameRun(new NatsBenchmarkDriver(), NATS.config(keys), TIMEOUT)) {
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(other.producer(topic), 0, 200, 100);
            assertGotAll(List.of(listener), 0, 200);
        }
    }

    @Test
    void eachServerIsANodeAndOneOfThemLeadsAStream() throws Exception {
        try (DriverSession session = open(Map.of("replicationFactor", 3))) {
            List<String> nodes = session.connection().describeBroker().nodes();
            assertThat(nodes).containsExactlyInAnyOrderElementsOf(NATS.addresses());

            List<List<String>> leaders = session.connection().leaders(List.of(session.topic(2)));

            assertThat(leaders)
                    .singleElement()
                    .satisfies(ofTopic -> assertThat(ofTopic)
                            .hasSize(2)
                            .allSatisfy(leader -> assertThat(nodes).contains(leader)));
        }
    }

    @Test
    void moreCopiesThanServersAreRefusedWithTheReason() throws Exception {
        try (DriverSession session = open(Map.of("replicationFactor", 5))) {
            assertThatThrownBy(() -> session.topic(1))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create the stream '")
                    .hasMessageContaining("no suitable peers");
        }
    }
}
