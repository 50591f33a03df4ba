package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Runs as listeners see them, without anything running. */
public final class LiveFixture {

    private LiveFixture() {}

    /**
     * Requests a run of a workload {@code load} on a driver {@code fake}; writes the workload's file into the folder.
     */
    public static RunRequest request(Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("load.yaml"), """
                topics: 1
                partitionsPerTopic: 1
                messageSize: 100
                subscriptionsPerTopic: 2
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 1000
                testDuration: 60s
                """);
        return new RunRequest(
                "run1",
                WorkloadFile.read(file, folder),
                List.of(new byte[100]),
                new RunRequest.SystemUnderTest(
                        TestDrivers.DESCRIPTION,
                        new DriverControl(TestDrivers.of(new FakeSystem())),
                        new RunResult.Driver("fake", "example.Fake", "fake-client 1", Map.of()),
                        Optional.empty(),
                        Optional::empty),
                RunRequest.Conditions.unwatched(
                        new Environment("1.2", "host", "os", "cpu", 2, 1024, "jdk", List.of(), 512, "clock")),
                RunTimeouts.standard(),
                new Seed(0));
    }

    /** The result of a run in which nothing was measured. */
    public static RunResult result(RunRequest request, Verdict verdict, Finding... findings) {
        return new RunResult(
                request.runId(),
                verdict,
                List.of(findings),
                null,
                request.workload(),
                request.system().shown(),
                null,
                request.conditions().environment(),
                0,
                1,
                "FULL",
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                Map.of(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                List.of(),
                null);
    }

    /** A period with a hundred publish latencies, 99 of 4 ms and one of 1 s, of messages that were sent in time. */
    public static PeriodSnapshot period(long startS, long endS, Totals counts, Totals totals) {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        histogram.recordValueWithCount(4_000_000, 99);
        histogram.recordValue(1_000_000_000);
        LatencySnapshot publish = new LatencySnapshot(histogram, 1.396e9, 0, 0);
        return new PeriodSnapshot(
                startS * 1_000_000_000,
                endS * 1_000_000_000,
                counts,
                totals,
                Map.of(Latency.PUBLISH, publish, Latency.SCHEDULED_PUBLISH, publish));
    }
}
