package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract with each message in a transaction. */
class RocketMqTransactionIT extends DriverContractTest<RocketMqConfig> {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final int MAX_BYTES = 1_000_000;

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected RocketMqConfig config() {
        return ROCKETMQ.reach(TestConfigs.of(Map.of("transactions", 8)));
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutOrder();
    }

    @Override
    protected FailingSend<RocketMqConfig> failingSend() {
        return new FailingSend<>(
                ROCKETMQ.reach(TestConfigs.of(Map.of("transactions", 8, "maxMessageSize", MAX_BYTES))), MAX_BYTES + 1);
    }

    @Test
    void whatConsumersSeeWasCommitted() throws Exception {
        int messages = 50;
        try (DriverSession session = DriverSession.open(driver(), config(), timeout())) {
            TopicSpec topic = session.topic(2);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                RecordingCallback callback = new RecordingCallback("message " + i);
                callbacks.add(callback);
                producer.send("key-" + i, NumberedPayload.of(i, 100), callback);
            }
            for (RecordingCallback callback : callbacks) {
                callback.awaitAcknowledged(timeout());
            }
            List<MessageExt> seen = RawConsumer.read(config(), topic.name(), messages);
            assertThat(seen)
                    .extracting(message -> MessageSysFlag.getTransactionValue(message.getSysFlag()))
                    .containsOnly(MessageSysFlag.TRANSACTION_COMMIT_TYPE);
            assertThat(seen).extracting(MessageExt::getKeys).doesNotHaveDuplicates();
        }
    }
}
