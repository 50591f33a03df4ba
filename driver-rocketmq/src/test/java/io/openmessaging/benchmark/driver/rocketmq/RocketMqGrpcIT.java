package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.Variant;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract through a proxy with gRPC. */
@Order(1)
@Variant
class RocketMqGrpcIT extends DriverContractTest<RocketMqConfig> {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    /** Closing a consumer takes as long as the proxy holds the consumer's last request. */
    private static final Duration SHORT = Duration.ofMillis(500);

    /** One byte more than a proxy accepts by default. */
    private static final int TOO_MANY_BYTES = 4 * 1024 * 1024 + 1;

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected RocketMqConfig config() {
        return ROCKETMQ.reach(TestConfigs.patient(Map.of("protocol", Protocol.GRPC, "awaitDuration", SHORT)));
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
