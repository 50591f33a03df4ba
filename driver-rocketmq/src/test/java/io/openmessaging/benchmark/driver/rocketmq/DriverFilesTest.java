package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest {

    static List<DriverFile> files() {
        return DriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(DriverFile file) {
        assertThat(TestConfigs.problemsOf(file.config())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void namesTheDriverAndHasANameOfItsOwn(DriverFile file) {
        assertThat(file.keys()).containsEntry("driverClass", RocketMQBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @Test
    void theVariantsAreThere() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactly(
                        "rocketmq-auto-batch.yaml",
                        "rocketmq-chy.yaml",
                        "rocketmq-grpc.yaml",
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
