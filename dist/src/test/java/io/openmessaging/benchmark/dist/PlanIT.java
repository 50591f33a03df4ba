package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A plan whose process is killed, and which then continues where it was. */
@LongSuite("PlanCommandTest goes on with an interrupted plan")
class PlanIT extends WithBenchmark {

    private static final String PLAN = """
            name: killed
            repetitions: 2
            systems: {direct: driver-inmemory/inmemory.yaml, queued: driver-inmemory/inmemory-queued.yaml}
            experiments:
              - {name: rate, workload: workload.yaml}
            """;

    private static final String WORKLOAD = ONE_OF_EACH + """
            producerRate: 1000
            warmupDuration: 0s
            testDuration: 2s
            samplePeriod: 1s
            """;

    @Test
    void runsOneAndTwoAreNotRepeatedAndThreeIs() throws Exception {
        benchmark.file("plan.yaml", PLAN);
        benchmark.file("workload.yaml", WORKLOAD);

        Process killed = benchmark.start("--plan", "plan.yaml");
        Waiting.until("the third run measures", () -> thirdRunMeasures(benchmark.printed()));
        // The start script has become the program by exec.
        killed.destroyForcibly();
        Patience.exitCode("the killed program", killed);
        assertThat(statuses()).containsExactly("done", "done", "pending", "pending");
        Map<Path, FileTime> before = written();
        assertThat(before).hasSize(2);

        Benchmark.Outcome outcome = benchmark.run("--plan", "plan.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isLessThan(2);
        assertThat(outcome.out())
                .as(outcome.all())
                .contains("resumes, 2 of 4 runs remain", "run 3 of 4: rate/direct/default, repetition 2")
                .doesNotContain("run 1 of 4", "run 2 of 4");
        assertThat(statuses()).containsExactly("done", "done", "done", "done");
        assertThat(written()).hasSize(4).containsAllEntriesOf(before);
    }

    private static boolean thirdRunMeasures(String printed) {
        int third = printed.indexOf("run 3 of 4");
        return third >= 0 && printed.indexOf("measure ", third) >= 0;
    }

    private Path results() throws IOException {
        try (Stream<Path> folders = Files.list(folder.resolve("results"))) {
            return folders.filter(Files::isDirectory)
                    .reduce((one, other) -> {
                        throw new AssertionError("one folder of results, not " + one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    private List<String> statuses() throws IOException {
        JsonNode manifest =
                JsonMapper.shared().readTree(Files.readAllBytes(results().resolve("manifest.json")));
        List<String> statuses = new ArrayList<>();
        manifest.path("runs").forEach(run -> statuses.add(run.path("status").asString()));
        return statuses;
    }

    /** The results and the times at which they were written. */
    private Map<Path, FileTime> written() throws IOException {
        Map<Path, FileTime> written = new HashMap<>();
        try (Stream<Path> files = Files.list(results().resolve("runs"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".json")).toList()) {
                written.put(file, Files.getLastModifiedTime(file));
            }
        }
        return written;
    }
}
