package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.suite.Variant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the contract with Apache Kafka as a substitute with the same protocol. It proves nothing about Redpanda
 * itself.
 */
@Variant
class KafkaStandInContractIT extends DriverContractTest<RedpandaConfig> {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    private static final int MAX_REQUEST_BYTES = 1_000_000;

    @Override
    protected BenchmarkDriver<RedpandaConfig> driver() {
        return new KafkaStandInDriver();
    }

    @Override
    protected RedpandaConfig config() {
        return KAFKA.config(List.of("http://127.0.0.1:1"));
    }

    @Override
    protected FailingSend<RedpandaConfig> failingSend() {
        RedpandaConfig small = new RedpandaConfig(
                1,
                "",
                config().commonConfig(),
                "max.request.size=" + MAX_REQUEST_BYTES,
                "",
                false,
                List.of(),
                List.of("http://127.0.0.1:1"),
                null,
                null,
                null);
        return new FailingSend<>(small, 2 * MAX_REQUEST_BYTES);
    }

    @Override
    protected RedpandaConfig configOfExisting() {
        return ConfigRecords.with(config(), Map.of("consumerConfig", ""));
    }
}
