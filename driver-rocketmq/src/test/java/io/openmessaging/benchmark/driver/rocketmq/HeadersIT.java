package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what RocketMQ's own client finds in messages. */
class HeadersIT {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final Duration TIMEOUT = Patience.LIMIT;

    private static final Map<String, String> HEADERS = Map.of("header-1", "one", "header-2", "2".repeat(1000));

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void eachMessageHasTheHeadersAndItsKey(Protocol protocol) throws Exception {
        RocketMqConfig config = ROCKETMQ.reach(TestConfigs.patient(Map.of("protocol", protocol)));
        try (DriverSession session = DriverSession.open(new RocketMQBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic, HEADERS);
            send(producer, "key-0");
            send(producer, null);
            send(session.producer(topic), null);

            var messages = RawConsumer.read(config, topic.name(), 3);

            assertThat(messages.get(0).getProperties()).containsAllEntriesOf(HEADERS);
            assertThat(messages.get(0).getKeys()).isEqualTo("key-0");
            assertThat(messages.get(1).getProperties()).containsAllEntriesOf(HEADERS);
            assertThat(messages.get(1).getKeys()).isNull();
            assertThat(messages.get(2).getProperties()).doesNotContainKeys("header-1", "header-2");
            assertThat(messages).extracting(MessageExt::getMsgId).doesNotHaveDuplicates();
        }
    }

    @Test
    void aNameThatRocketMqKeepsForItselfIsRefused() throws Exception {
        RocketMqConfig config = ROCKETMQ.reach(TestConfigs.patient(Map.of()));
        try (DriverSession session = DriverSession.open(new RocketMQBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            assertThatThrownBy(() -> session.producer(topic, Map.of("TAGS", "one")))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("TAGS");
        }
    }

    private static void send(BenchmarkProducer producer, @Nullable String key) throws Exception {
        RecordingCallback callback = new RecordingCallback("the message with key " + key);
        producer.send(key, NumberedPayload.of(0, 100), callback);
        callback.awaitAcknowledged(TIMEOUT);
    }
}
