package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests messages with tags, and consumers that subscribe to some tags. */
class TagsIT {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final Duration TIMEOUT = Patience.LIMIT;

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void consumersGetTheTagsOfTheDriverFileAndNoOthers(Protocol protocol) throws Exception {
        RocketMqConfig config = config(protocol, List.of("red", "green"));
        RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
        try (DriverSession session = DriverSession.open(driver, config, TIMEOUT);
                DriverSession other = session.openOfSameRun(driver, config(protocol, List.of("blue")), TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            BenchmarkProducer stranger = other.producer(topic);
            send(producer, 0);
            send(stranger, 1);
            send(producer, 2);
            send(producer, 3);

            assertThat(listener.awaitMessages(3, TIMEOUT))
                    .extracting(message -> NumberedPayload.numberOf(message.payload()))
                    .containsExactly(0, 2, 3);
            assertThat(RawConsumer.read(config, topic.name(), 4))
                    .extracting(MessageExt::getTags)
                    .containsExactly("red", "blue", "green", "red");
            assertThat(listener.count()).isEqualTo(3);
        }
    }

    private static RocketMqConfig config(Protocol protocol, List<String> tags) {
        return ROCKETMQ.reach(TestConfigs.patient(
                Map.of("protocol", protocol, "tags", tags, "awaitDuration", Duration.ofMillis(500))));
    }

    private static void send(BenchmarkProducer producer, int number) throws Exception {
        RecordingCallback callback = new RecordingCallback("message " + number);
        producer.send(null, NumberedPayload.of(number, 100), callback);
        callback.awaitAcknowledged(TIMEOUT);
    }
}
