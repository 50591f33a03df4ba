package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.Smoke;
import io.openmessaging.benchmark.suite.Variant;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract with each message in a transaction. */
@Variant
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
        return ROCKETMQ.reach(TestConfigs.patient(Map.of("transactions", 8)));
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutOrder();
    }

    @Override
    protected FailingSend<RocketMqConfig> failingSend() {
        return new FailingSend<>(
                ROCKETMQ.reach(TestConfigs.patient(Map.of("transactions", 8, "maxMessageSize", MAX_BYTES))),
                MAX_BYTES + 1);
    }

    @Test
    @Smoke
    void whatConsumersSeeWasCommitted() throws Exception {
        int messages = 50;
        try (DriverSession session = DriverSession.open(driver(), config(), Patience.LIMIT)) {
            TopicSpec topic = session.topic(2);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, messages, 100);
            List<MessageExt> seen = RawConsumer.read(config(), topic.name(), messages);
            assertThat(seen)
                    .extracting(message -> MessageSysFlag.getTransactionValue(message.getSysFlag()))
                    .containsOnly(MessageSysFlag.TRANSACTION_COMMIT_TYPE);
            assertThat(seen).extracting(MessageExt::getKeys).doesNotHaveDuplicates();
        }
    }
}
