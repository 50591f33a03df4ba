package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverFilesTest extends DriverFilesContractTest<RocketMqConfig> {

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Test
    void theVariantsAreThere() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactly(
                        "rocketmq-auto-batch.yaml",
                        "rocketmq-chy.yaml",
                        "rocketmq-durable.yaml",
                        "rocketmq-fast.yaml",
                        "rocketmq-grpc-push.yaml",
                        "rocketmq-grpc.yaml",
                        "rocketmq-shared-clients.yaml",
                        "rocketmq-sync-flush.yaml",
                        "rocketmq.yaml");
    }

    @Test
    void theKeysOfOtherToolsAreKnown() {
        RocketMqConfig config = TestConfigs.of(Map.ofEntries(
                Map.entry("clusterName", "DefaultCluster"),
                Map.entry("namesrvAddr", "127.0.0.1:9876"),
                Map.entry("vipChannelEnabled", false),
                Map.entry("batchCQ", false),
                Map.entry("autoBatch", false),
                Map.entry("maxMessageSize", 32_768),
                Map.entry("compressMsgBodyOverHowmuch", 4096),
                Map.entry("enableBackpressure", true),
                Map.entry("backpressureConcurrency", 1024),
                Map.entry("accessKey", "u"),
                Map.entry("secretKey", "p")));
        assertThat(TestConfigs.problemsOf(config)).isEmpty();
    }
}
