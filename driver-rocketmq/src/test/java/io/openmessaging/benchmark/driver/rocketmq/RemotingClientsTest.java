package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemotingClientsTest {

    /** The client closes the connection, with all messages in flight, when a heartbeat takes longer. */
    @ParameterizedTest
    @CsvSource({"1s, 3000", "3s, 3000", "20s, 20000"})
    void aHeartbeatMayTakeAsLongAsASend(String sendTimeout, int heartbeatMs) {
        RemotingClients clients = new RemotingClients(
                TestConfigs.of(Map.of("sendTimeout", sendTimeout)), "run", new ClientRelease(new RecordingEvents()));
        ConsumerSpec spec = new ConsumerSpec(0, new TopicSpec("topic", 1), "s", new RecordingListener());
        assertThat(clients.consumer(spec, "group").getMqClientApiTimeout()).isEqualTo(heartbeatMs);
    }
}
