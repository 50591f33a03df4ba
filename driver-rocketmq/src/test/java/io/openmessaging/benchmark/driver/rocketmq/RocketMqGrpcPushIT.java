package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.MessageType;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract with normal messages and RocketMQ's PushConsumer. */
@Order(1)
@LongSuite("a batch whose answer is lost stays hidden for 60 s, and a queue may stay locked for 2 minutes")
class RocketMqGrpcPushIT extends DriverContractTest<RocketMqConfig> {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    /** One byte more than a proxy accepts by default. */
    private static final int TOO_MANY_BYTES = 4 * 1024 * 1024 + 1;

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected RocketMqConfig config() {
        return ROCKETMQ.reach(TestConfigs.patient(
                Map.of("protocol", Protocol.GRPC, "messageType", MessageType.NORMAL, "pushConsumer", true)));
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutOrder();
    }

    @Override
    protected FailingSend<RocketMqConfig> failingSend() {
        return new FailingSend<>(config(), TOO_MANY_BYTES);
    }

    /** A batch whose answer was late stays hidden for a minute, and a queue can stay locked for two minutes. */
    @Override
    protected Duration patience() {
        return Patience.LIMIT.multipliedBy(3);
    }
}
