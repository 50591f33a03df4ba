package io.openmessaging.benchmark.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickWorkloadsTest {

    static final Map<String, Object> KEYS = Map.of(
            "topics", 1,
            "partitionsPerTopic", 3,
            "messageSize", 2000,
            "producersPerTopic", 1,
            "subscriptionsPerTopic", 1,
            "consumerPerSubscription", 1);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final QuickWorkloads workloads = new QuickWorkloads(KEYS, null, 3);

    private Workload read(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("workload.yaml"), text);
        return WorkloadFile.read(file, folder).workload();
    }

    @Test
    void aSearchLeavesTimeToMeasureLatencies() throws Exception {
        Workload search = read(workloads.search());
        assertThat(search.searchStep()).isEqualTo(Duration.ofSeconds(3));
        assertThat(search.partitionsPerTopic()).isEqualTo(3);
        assertThat(search.messageSize()).isEqualTo(2000);
        assertThat(search.searchDuration()).isEqualTo(Duration.ofSeconds(114));
        assertThat(workloads.longestSearch()).isEqualTo(Duration.ofSeconds(6 + 114 + 9));
        assertThat(workloads.each()).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void latenciesOfAllSystemsAreMeasuredForTheSameTime() throws Exception {
        Workload latency = read(workloads.latency(1234));
        assertThat(latency.testTime()).contains(Duration.ofSeconds(30));
        assertThat(latency.producerRate()).hasToString("1234");
    }

    @Test
    void aRateTakesAllOfTheTime() throws Exception {
        Workload rate = read(workloads.atRate("10 MB/s"));
        assertThat(rate.warmupTime().plus(rate.testTime().orElseThrow())).isEqualTo(Duration.ofMinutes(3));
        assertThat(rate.producerRate()).hasToString("10 MB/s");
    }
}
