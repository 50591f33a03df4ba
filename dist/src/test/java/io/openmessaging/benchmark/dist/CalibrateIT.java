package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calibration of the harness, and its effect on a run. Nothing here depends on the speed of the harness. */
class CalibrateIT extends WithBenchmark {

    private static final String IN_MEMORY = Benchmark.shipped("driver-inmemory/inmemory.yaml");

    private static final String AS_FAST_AS_IT_GOES = ONE_OF_EACH + """
            producerRate: unlimited
            warmupDuration: 0s
            testDuration: 1s
            """;

    /** A calibration made where the process runs whose environment is inserted. */
    private static final String CEILING_OF_1000 = """
            {
              "kind": "calibration",
              "schemaVersion": 1,
              "time": "2026-01-02T03:04:05Z",
              "quick": true,
              "ceilingMsgPerSec": 1000.0,
              "unlimited": [{"threads": 1, "rateMsgPerSec": 1000.0, "nsPerMessage": 1000000.0}],
              "trials": [],
              "clock": {"smallestStepNs": 1, "typicalStepNs": 1, "readNs": 20.0},
              "machine": {"loadAverage": null, "othersShare": 0.0, "longestStallNs": 0, "busy": false},
              "collections": {"count": 0, "pauseMs": 0, "seconds": 1.0},
              "environment": %s
            }
            """;

    private Path calibration() {
        return folder.resolve("results/calibration.json");
    }

    private List<JsonNode> resultsOfRuns() throws Exception {
        return benchmark.resultFiles().stream()
                .filter(file -> !file.equals(calibration()))
                .map(file -> JsonMapper.shared().readTree(file.toFile()))
                .toList();
    }

    @Test
    @LongSuite("looks for the highest rate in real time")
    void writesWhatTheHarnessCanDoOrSaysThatTheMachineIsTooBusyForThat() throws Exception {
        Benchmark.Outcome outcome = benchmark.run("calibrate", "--quick");

        if (outcome.exitCode() == 1) {
            assertThat(outcome.err()).contains("benchmark: no rate was sustained, not even 1000 msg/s");
            assertThat(calibration()).doesNotExist();
            return;
        }
        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        JsonNode json = JsonMapper.shared().readTree(calibration().toFile());
        assertThat(json.path("ceilingMsgPerSec").asDouble(0)).isPositive();
        assertThat(json.path("unlimited").path(0).path("nsPerMessage").asDouble(0))
                .isPositive();
        assertThat(json.path("trials").size()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aRunThatIsFasterThanTheCeilingIsInvalid() throws Exception {
        Path slowly = benchmark.file("slow.yaml", AS_FAST_AS_IT_GOES.replace("unlimited", "100"));
        Benchmark.Outcome slow = benchmark.runInProcess("-d", IN_MEMORY, slowly.toString());
        JsonNode environment = resultsOfRuns().get(0).path("environment");
        Files.writeString(calibration(), CEILING_OF_1000.formatted(environment));
        Path workload = benchmark.file("fast.yaml", AS_FAST_AS_IT_GOES);
        Benchmark.Outcome fast = benchmark.runInProcess("-d", IN_MEMORY, workload.toString());

        assertThat(slow.err()).as("without a calibration").isEmpty();
        assertThat(fast.exitCode()).as(fast.all()).isEqualTo(1);
        assertThat(fast.out()).contains("near the limit of the harness");
        JsonNode result = resultsOfRuns().get(0);
        assertThat(result.path("findings").findValuesAsString("kind")).contains("NearHarnessCeiling");
        JsonNode used = result.path("harness").path("calibration");
        assertThat(used.path("time").asString()).isEqualTo("2026-01-02T03:04:05.000Z");
        assertThat(used.path("sendingThreads").asInt(0)).isEqualTo(1);
        assertThat(used.path("ceiling").asDouble(0)).isEqualTo(1000);
    }

    @Test
    void aCalibrationThatIsNoneIsIgnoredInOneLine() throws Exception {
        Files.createDirectory(folder.resolve("results"));
        Files.writeString(calibration(), "{}");
        Path workload = benchmark.file("fast.yaml", AS_FAST_AS_IT_GOES);

        Benchmark.Outcome run = benchmark.runInProcess("-d", IN_MEMORY, workload.toString());

        assertThat(run.err())
                .isEqualTo("benchmark: " + calibration() + " is ignored: this version cannot read its format\n");
        assertThat(resultsOfRuns().get(0).path("harness").path("calibration").isNull())
                .isTrue();
    }
}
