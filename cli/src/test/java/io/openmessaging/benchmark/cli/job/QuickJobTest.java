package io.openmessaging.benchmark.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.FakeLocalBroker;
import io.openmessaging.benchmark.cli.TestInstallation;
import io.openmessaging.benchmark.cli.job.RunExecutor.Execution;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Tests what is run in which order, with which brokers, and what the table makes of it. Nothing is measured. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class QuickJobTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    private final StopSignal stop = new StopSignal();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> executed = new ArrayList<>();

    /** What the next search finds. */
    private double foundMsgPerSec = 1_000;

    /** What the last measurement of a search achieved, of a rate that it did not hold; 0 if it held one. */
    private double refutedAtMsgPerSec;

    /** How long the next search takes. */
    private Duration searching = Duration.ofSeconds(100);

    private long nowNs;

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private Path system(String name) throws IOException {
        return Path.of(
                installation.file(name + ".yaml", TestInstallation.BROKERED_DRIVER.replace("Brokered\n", name + "\n")));
    }

    private int run(@Nullable String rate, int repetitions, Path... systems) throws Exception {
        QuickWorkloads workloads = new QuickWorkloads(QuickWorkloadsTest.KEYS, rate, 3);
        Path results = folder.resolve("quick");
        PrintWriter printed = new PrintWriter(out, true);
        BrokerStarter starter = new BrokerStarter(BrokerMode.AUTO, null, Installation.fromSystemProperties(), printed);
        Invocation session = new Invocation(
                results, starter, new LiveRuns(() -> 0), null, stop, printed, new PrintWriter(err, true));
        return QuickJob.check(List.of(systems), workloads, repetitions, results)
                .run(session, new RunLoop(session, this::execute, false, () -> nowNs));
    }

    /** Fakes a run: Fast is twice as fast as the others, and each search finds 10 msg/s more than the one before. */
    private Execution execute(BrokerLease broker, WorkloadFile file, int repetition, ResultFiles files) {
        String system = broker.driver().name();
        String workload = file.workload().name();
        executed.add(system + " " + workload + " " + file.workload().producerRate() + " #" + repetition);
        ObjectNode result = JsonMapper.shared().createObjectNode();
        if (workload.equals("quick-search")) {
            double found = (system.equals("Fast") ? 2 : 1) * foundMsgPerSec;
            foundMsgPerSec += 10;
            result.putObject("search").put("foundRate", found).putArray("steps").addObject();
            if (refutedAtMsgPerSec > 0) {
                result.putObject("metrics").put("publishRate", refutedAtMsgPerSec);
            } else {
                result.putObject("metrics").put("sustainableRate", found);
            }
            result.putArray("phases").addObject().put("name", "search").put("seconds", searching.toSeconds());
            nowNs += searching.toNanos();
        } else {
            result.putObject("metrics")
                    .put("publishRate", 500)
                    .put("scheduledEndToEndLatency99pct", system.equals("Fast") ? 1.0 : 5.0);
            nowNs += Duration.ofSeconds(20).toNanos();
        }
        try {
            Path written = files.folder().resolve(executed.size() + ".json");
            Files.writeString(written, result.toString());
            return new Execution(Verdict.OK, null, written, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer() {
        return out.toString()
                .lines()
                .filter(line -> line.contains("rate (") || line.startsWith("At "))
                .findFirst()
                .orElse(out.toString());
    }

    @Test
    void systemsTakeTurnsUntilTheAnswerIsCertain() throws Exception {
        assertThat(run(null, 3, system("Slow"), system("Fast"))).isEqualTo(ExitCode.OK);

        assertThat(executed)
                .as("repetitions have equal loads: half of what the first search found")
                .containsExactly(
                        "Slow quick-search 0 #1",
                        "Slow quick-latency 500 #1",
                        "Fast quick-search 0 #1",
                        "Fast quick-latency 1010 #1",
                        "Slow quick-search 0 #2",
                        "Slow quick-latency 500 #2",
                        "Fast quick-search 0 #2",
                        "Fast quick-latency 1010 #2",
                        "Slow quick-search 0 #3",
                        "Slow quick-latency 500 #3",
                        "Fast quick-search 0 #3",
                        "Fast quick-latency 1010 #3");
        assertThat(out.toString())
                .contains("\nFast, repetition 2 of 3: the highest rate, then latencies at half of it\n")
                .containsPattern("(?m)^Slow .* 3 OK$");
        assertThat(answer())
                .isEqualTo(
                        "Fast sustains 2.02 × Slow's rate (3 runs, intervals apart) at a lower p99, each at half of its rate (3 runs, intervals apart).");
        assertThat(FakeLocalBroker.started()).hasSize(6);
        assertThat(FakeLocalBroker.closed()).isEqualTo(6);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aRateIsRepeatedToo() throws Exception {
        assertThat(run("500", 3, system("Slow"), system("Fast"))).isEqualTo(ExitCode.OK);
        assertThat(executed).hasSize(6).startsWith("Slow quick 500 #1", "Fast quick 500 #1", "Slow quick 500 #2");
        assertThat(out.toString()).contains("\nFast, repetition 2 of 3: 500 msg/s\n");
        assertThat(answer())
                .isEqualTo(
                        "At 500 msg/s, Fast has the lower end-to-end p99: 1.00 ms, Slow 5.00 ms (3 runs, intervals apart).");
    }

    @Test
    void whatTheMeasurementsRefutedIsNotAskedForAgain() throws Exception {
        refutedAtMsgPerSec = 420;
        run(null, 1, system("Slow"));
        assertThat(executed).containsExactly("Slow quick-search 0 #1", "Slow quick-latency 210 #1");
    }

    /** The search has succeeded, whatever becomes of the second run. */
    @Test
    void aSecondWorkloadThatCannotBeUsedFailsTheSecondRunOnly() throws Exception {
        foundMsgPerSec = 1e12;
        assertThat(run(null, 1, system("Slow"))).isEqualTo(ExitCode.FAILED);
        assertThat(executed).containsExactly("Slow quick-search 0 #1");
        assertThat(err.toString()).startsWith("benchmark: ").contains("latency-slow.yaml: producerRate");
        assertThat(out.toString())
                .containsPattern("(?m)^Slow +1,000,000,000,000 .* rate OK; latencies FAILED: .*producerRate");
    }

    @Test
    void aSystemWithoutABrokerFailsOnceAndTheOthersAreMeasured() throws Exception {
        FakeLocalBroker.onStart(() -> {
            if (FakeLocalBroker.started().size() == 1) {
                throw new LocalBrokerException("no room for a broker");
            }
        });
        assertThat(run(null, 2, system("Slow"), system("Fast"))).isEqualTo(ExitCode.FAILED);
        assertThat(executed).hasSize(4).allMatch(run -> run.startsWith("Fast "));
        assertThat(err.toString().lines()).containsExactly("benchmark: no room for a broker");
        assertThat(out.toString()).containsPattern("(?m)^Slow .* 2 FAILED: no room for a broker$");
    }

    @Test
    void whoStopsGetsATableOfWhatThereIs() throws Exception {
        FakeLocalBroker.onStart(() -> {
            if (FakeLocalBroker.started().size() == 2) {
                stop.request();
                throw new InterruptedException("a stop was requested");
            }
        });
        assertThat(run(null, 2, system("Slow"), system("Fast"))).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(executed).hasSize(2);
        assertThat(out.toString())
                .containsPattern("(?m)^Slow .* OK$")
                .containsPattern("(?m)^Fast .* INTERRUPTED$")
                .doesNotContain("repetition 2 of 2");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whatTookLongerThanPlannedIsTold() throws Exception {
        FakeLocalBroker.onStart(() -> nowNs += Duration.ofSeconds(30).toNanos());
        assertThat(run(null, 2, system("Slow"))).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).doesNotContain("not the planned");

        searching = Duration.ofMinutes(5);
        run(null, 2, system("Slow"));
        assertThat(out.toString().lines())
                .contains("took 11m40s, not the planned 6m30s: searching took 10m00s (2 tries), starting brokers 1m00s,"
                        + " all else 40s");
    }
}
