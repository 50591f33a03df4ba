package io.openmessaging.benchmark.cli;

import static io.openmessaging.benchmark.cli.TestInstallation.DRIVER;
import static io.openmessaging.benchmark.cli.TestInstallation.ENDLESS;
import static io.openmessaging.benchmark.cli.TestInstallation.WORKLOAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BenchmarkCommandTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    private String driver = "";
    private String workload = "";

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        driver = installation.file("driver.yaml", DRIVER);
        workload = installation.file("workload.yaml", WORKLOAD);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    /** Asserts that there is one line for each problem, nothing has run and nothing is left behind. */
    private void assertRefused(Outcome outcome, String... lines) {
        assertThat(outcome.err().lines()).containsExactly(lines);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void workersAreLookedAtBeforeARunAndNothingIsLeftBehind() throws IOException {
        Outcome outcome = installation.run("workers", "--workers", "http://127.0.0.1:1");
        assertThat(outcome.out().lines())
                .singleElement()
                .asString()
                .startsWith("worker 1 (http://127.0.0.1:1): nothing listens there");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpIsPrintedOnRequest(String option) {
        Outcome outcome = installation.run(option);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).startsWith("Usage: benchmark COMMAND").contains("run", "plan", "Exit code: 0 OK");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "quick", "plan"})
    void theHelpOfACommandHasItsOptions(String command) {
        Outcome outcome = installation.run(command, "--help");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith("Usage: benchmark " + command)
                .contains("-w,", "-wf,", "-x,", "--workers", "--workers-file", "--extra", "--worker-logs")
                .contains("--brokers", "--local-nodes", "--dry-run", "--ui", "Exit code: 0 all runs are OK");
    }

    @Test
    void theOptionsOfOmbAreInTheHelp() {
        assertThat(installation.run("run", "-h").out())
                .contains("-d, --drivers", "-w, --workers", "-o, --output", "-c, --csv", "-x, --extra");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void theVersionIsPrintedOnRequest(String option) {
        Outcome outcome = installation.run(option);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out().strip()).isEqualTo("benchmark development");
    }

    @Test
    void aMisspeltOptionComesWithASuggestion() {
        assertRefused(
                installation.run("--driver", driver, workload),
                "benchmark: Unknown option: '--driver'",
                "Possible solutions: --drivers, --dry-run");
    }

    @Test
    void anOptionThatIsLikeNoneComesWithAHint() {
        assertRefused(
                installation.run("--zzz", workload),
                "benchmark: Unknown option: '--zzz'",
                "Try 'bin/benchmark run --help'.");
    }

    @Test
    void anOptionWithoutItsValueComesWithAHint() {
        assertRefused(
                installation.run(workload, "--drivers"),
                "benchmark: Missing required parameter for option '--drivers' (FILE,…)",
                "Try 'bin/benchmark run --help'.");
    }

    @Test
    void somethingHasToBeRunWithSomething() {
        assertRefused(
                installation.run(),
                "benchmark: no driver given, use --drivers FILE or NAME; bin/benchmark list shows names",
                "benchmark: no workload given; bin/benchmark list workloads shows names");
    }

    @Test
    void aWorkloadNeedsADriver() {
        assertRefused(
                installation.run(workload),
                "benchmark: no driver given, use --drivers FILE or NAME; bin/benchmark list shows names");
    }

    @Test
    void aDriverNeedsAWorkload() {
        assertRefused(
                installation.run("-d", driver),
                "benchmark: no workload given; bin/benchmark list workloads shows names");
    }

    @Test
    void allThatIsWrongWithAllFilesIsSaidAtOnce() throws Exception {
        String badDriver = installation.file("bad.yaml", DRIVER, "refuseSend: true");
        String noDriver = installation.file("none.yaml", "name: x", "driverClass: org.example.None");
        String badWorkload = installation.file("w1.yaml", WORKLOAD.replace("topics: 1", "topics: 0"), "mesageSize: 7");
        String missing = installation.current().resolve("missing.yaml").toString();
        Outcome outcome = installation.run("-d", badDriver + "," + driver, "-d", noDriver, badWorkload, missing);

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines()).hasSize(5);
        assertThat(outcome.err().lines().map(line -> line.replace("FOLDER/current/", "")))
                .anyMatch(line -> line.startsWith("bad.yaml: refuseSend: unknown key, did you mean 'refuseSends'?"))
                .anyMatch(
                        line -> line.startsWith(
                                "none.yaml: driverClass: must be the class of an installed driver"
                                        + "; there are drivers for [fake]; put the jars of another driver into their own folder below "))
                .anyMatch(line -> line.startsWith("w1.yaml: topics: must be a number from 1 to"))
                .anyMatch(line -> line.startsWith("w1.yaml: mesageSize: unknown key, did you mean 'messageSize'?"))
                .anyMatch(line -> line.startsWith("missing.yaml: "));
        assertThat(outcome.err()).doesNotContain("\tat ", "Exception");
    }

    @Test
    void aMissingPayloadFileIsNamed() throws Exception {
        String bad = installation.file("bad.yaml", WORKLOAD, "payloadFile: no-such.data");
        Outcome outcome = installation.run("-d", driver, bad);
        assertThat(outcome.err().lines())
                .singleElement()
                .asString()
                .startsWith("FOLDER/current/bad.yaml: payloadFile: ")
                .endsWith(", got 'no-such.data'");
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void workersThatAreNotThereAreNamedInOneLine() throws Exception {
        String brokered = installation.file("brokered.yaml", TestInstallation.BROKERED_DRIVER);
        Outcome outcome = installation.run("-d", brokered, "-w", "http://127.0.0.1:1", workload);
        assertThat(outcome.err().lines())
                .singleElement()
                .asString()
                .contains("worker 1 (http://127.0.0.1:1): nothing listens there; start 'bin/benchmark-worker --port 1");
        assertThat(outcome.exitCode()).as("nothing is wrong with the arguments").isEqualTo(ExitCode.FAILED);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void aSystemInsideOneProcessIsRefusedForWorkers() {
        assertRefused(
                installation.run("-d", driver, "-w", "http://127.0.0.1:1", workload),
                "benchmark: FOLDER/current/driver.yaml: the system is inside this process, where workers cannot reach it: run it"
                        + " without workers");
    }

    @Test
    void withoutInstalledDriversThereIsNoneToUse() {
        System.setProperty("benchmark.distribution", folder.resolve("nowhere").toString());
        assertRefused(
                installation.run("-d", driver, workload),
                "FOLDER/current/driver.yaml: driverClass: cannot be loaded: no drivers are installed in"
                        + " FOLDER/nowhere/drivers, got 'io.openmessaging.benchmark.worker.fake.FakeDriver'");
    }

    @Test
    void filesThatComeWithTheInstallationNeedNoPath() throws Exception {
        Files.createDirectories(installation.home().resolve("shipped"));
        Files.writeString(installation.home().resolve("shipped/driver.yaml"), DRIVER);
        Files.writeString(installation.home().resolve("shipped/workload.yaml"), WORKLOAD);
        Outcome outcome = installation.run("--dry-run", "-d", "shipped/driver.yaml", "shipped/workload.yaml");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("FOLDER/home/shipped/workload.yaml");
    }

    @Test
    void oneOutputFileIsForOneRun() {
        assertRefused(
                installation.run("-o", folder.resolve("r.json").toString(), "-d", driver, workload, workload),
                "benchmark: --output is for a single run, these are 2 runs");
    }

    @Test
    void anOutputThatCannotBeWrittenIsRefusedBeforeTheRun() throws Exception {
        String inTheWay = installation.file("file", "");
        assertRefused(
                installation.run("-o", inTheWay + "/result.json", "-d", driver, workload),
                "benchmark: FOLDER/current/file: cannot write results: FOLDER/current/file is in the way:"
                        + " a file, not a folder");
    }

    @Test
    void aResultsFolderThatCannotBeMadeIsRefusedBeforeTheRun() throws Exception {
        Files.writeString(installation.current().resolve("results"), "in the way");
        Outcome outcome = installation.run("-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("benchmark: FOLDER/current/results: cannot write results");
        assertThat(outcome.err().lines()).hasSize(1);
    }

    @Test
    void anOutputThatExistsIsNotOverwritten() throws Exception {
        String existing = installation.file("result.json", "precious");
        Outcome outcome = installation.run("-o", existing, "-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("result.json: already exists and would be overwritten");
        assertThat(Files.readString(Path.of(existing)).strip()).isEqualTo("precious");
    }

    @Test
    void aWorkersFileInTheCurrentFolderIsUsed() throws Exception {
        installation.file("workers.yaml", "workers: ['http://127.0.0.1:8080', 'http://127.0.0.1:8081']");
        assertRefused(
                installation.run("--dry-run", "-d", driver, workload),
                "benchmark: FOLDER/current/driver.yaml: the system is inside this process, where workers cannot reach it: run it"
                        + " without workers");
    }

    @Test
    void brokersAreOneOfThreeWords() {
        Outcome outcome = installation.run("--brokers", "remote", "-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("benchmark: Invalid value for option '--brokers'")
                .containsIgnoringCase("[auto, local, external]")
                .contains("'remote'");
    }

    @Test
    void aLocalBrokerThatThereIsNotIsRefused() {
        assertRefused(
                installation.run("--brokers", "local", "-d", driver, workload),
                "benchmark: --brokers local: there is no local broker for FOLDER/current/driver.yaml,"
                        + " only for [fake]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "10"})
    void theNumberOfNodesHasLimits(String nodes) {
        assertRefused(
                installation.run("--local-nodes", nodes, "-d", driver, workload),
                "benchmark: --local-nodes must be from 1 to 9, got " + nodes);
    }

    @Test
    void theNumberOfNodesIsANumber() {
        Outcome outcome = installation.run("--local-nodes", "many", "-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("benchmark: Invalid value for option '--local-nodes'");
    }

    @Test
    void aRunThatIsOkWritesItsResult() throws Exception {
        Outcome outcome = installation.run("-d", driver, workload);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith("run 1 of 1: workload on Fake\n")
                .contains("workload on Fake: OK")
                .contains("FOLDER/current/results/workload-Fake-");
        assertThat(outcome.exitCode()).isZero();
        assertThat(installation.results()).singleElement().satisfies(result -> {
            assertThat(result.getFileName().toString())
                    .matches("workload-Fake-\\d{4}-\\d\\d-\\d\\d-\\d\\d-\\d\\d-\\d\\d\\.json");
        });
        JsonNode result = installation.result();
        assertThat(result.path("verdict").asString()).isEqualTo("OK");
        assertThat(result.toString()).contains("fake-client 2.0", "development");
        assertThat(installation.current().resolve("results/benchmark.log")).exists();
    }

    @Test
    void everyWorkloadIsRunWithEveryDriver() throws Exception {
        String otherDriver = installation.file("other.yaml", DRIVER.replace("name: Fake", "name: Other"));
        String otherWorkload = installation.file("second.yaml", WORKLOAD);
        Outcome outcome = installation.run("-d", driver + "," + otherDriver, workload, otherWorkload);

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines().filter(line -> line.startsWith("run ")))
                .containsExactly(
                        "run 1 of 4: workload on Fake",
                        "run 2 of 4: second on Fake",
                        "run 3 of 4: workload on Other",
                        "run 4 of 4: second on Other");
        assertThat(installation.results()).hasSize(4);
    }

    @Test
    void theOutputFileIsWhereItWasAskedFor() throws Exception {
        Path output = folder.resolve("elsewhere/my.json");
        Outcome outcome = installation.run("--output", output.toString(), "-d", driver, workload);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(output).exists();
        assertThat(folder.resolve("elsewhere/my.hlog")).exists();
        assertThat(installation.results()).isEmpty();
    }

    @Test
    void randomAndFilePayloadsAreSent() throws Exception {
        Files.write(installation.home().resolve("hundred.data"), new byte[100]);
        String random = installation.file(
                "random.yaml", WORKLOAD, "useRandomizedPayloads: true", "randomizedPayloadPoolSize: 3");
        String fromFile = installation.file("file.yaml", WORKLOAD, "payloadFile: hundred.data");
        Outcome outcome = installation.run("-d", driver, random, fromFile);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(installation.results()).hasSize(2);
    }

    /** One producer sends 200 messages: each of four records 50 times. */
    @Test
    void recordsOfAFileAreSentInTheirSizes() throws Exception {
        Files.writeString(
                installation.home().resolve("lines.txt"),
                List.of(40, 60, 100, 1000).stream().map("x"::repeat).collect(Collectors.joining("\n")));
        String lines = installation.file(
                "lines.yaml",
                WORKLOAD.replace("messageSize: 100\n", ""),
                "payloadFile: lines.txt",
                "payloadRecords: LINES",
                "verifyPayloads: true");
        Outcome shown = installation.run("--dry-run", "-d", driver, lines);
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("messages of 40 to 1,000 bytes, 300 on average (4 records)");

        Outcome outcome = installation.run("-d", driver, lines);
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out()).contains("messages of 40 to 1,000 bytes, 300 on average (4 records),");
        JsonNode result = installation.result();
        assertThat(result.path("messageSize").asInt()).isEqualTo(300);
        assertThat(result.path("messageSizes").path("records").asInt()).isEqualTo(4);
        assertThat(result.path("messageSizes").path("minBytes").asInt()).isEqualTo(40);
        assertThat(result.path("messageSizes").path("maxBytes").asInt()).isEqualTo(1000);
        assertThat(result.path("messageSizes").path("sentMeanBytes").asDouble()).isEqualTo(300);
        assertThat(result.path("audit").path("damaged").asInt(-1)).isZero();
        assertThat(result.path("workloadEffective")
                        .path("messageSizeDistribution")
                        .isNull())
                .isTrue();
        JsonNode rates = result.path("rates");
        assertThat(rates.path("publishMBPerSec").asDouble())
                .isCloseTo(rates.path("publish").asDouble() * 300 / 1e6, Offset.offset(1e-6));
    }

    @Test
    void anInvalidResultIsWrittenAndSetsTheExitCode() throws Exception {
        String refusing = installation.file("refusing.yaml", DRIVER, "refuseSends: true");
        Outcome outcome = installation.run("-d", refusing, workload);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("INVALID", "200 messages could not be published");
        assertThat(installation.results()).hasSize(1);
    }

    @Test
    void anSloThatIsMissedIsInTheResultAndSetsTheExitCode() throws Exception {
        String bounded =
                installation.file("bounded.yaml", WORKLOAD, "slo: {publishLatencyMax: 1ms, publishLatency999pct: 1h}");
        Outcome outcome = installation.run("-d", driver, bounded);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("SLO_MISSED", "SLO not proven: publishLatency999pct");
        JsonNode slo = installation.result().path("slo");
        assertThat(slo.path("passed").asBoolean(true)).isFalse();
        assertThat(slo.path("bounds")).hasSize(2);
    }

    @Test
    void aRunThatFailsIsOneSentenceAndTheNextOneIsRunAllTheSame() throws Exception {
        String failing = installation.file("failing.yaml", DRIVER, "failingCall: CREATE_TOPICS");
        Outcome outcome = installation.run("-d", failing + "," + driver, workload);

        assertThat(outcome.err().lines()).containsExactly("benchmark: the fake system refuses CREATE_TOPICS");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("run 2 of 2: workload on Fake", "OK");
        assertThat(installation.results()).hasSize(1);
        assertThat(Files.readString(installation.current().resolve("results/benchmark.log")))
                .contains("the fake system refuses CREATE_TOPICS");
    }

    @Test
    void whatIsMeasuredWhenTheUserWantsToStopIsWritten() throws Exception {
        String endless = installation.file("endless.yaml", ENDLESS, "samplePeriod: 100ms");
        Outcome outcome = installation.runUntil(
                "a period is printed",
                () -> installation.printed().contains("measure "),
                "-d",
                driver,
                endless,
                workload);

        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(outcome.out()).contains("endless on Fake: INTERRUPTED").doesNotContain("run 2 of 2");
        JsonNode result = installation.result();
        assertThat(result.path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(result.path("publishRate").size()).isGreaterThanOrEqualTo(1);
        assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 'must be a port from 1 to 65535, or 0 for any free port, got -1'",
        "65536, 'must be a port from 1 to 65535, or 0 for any free port, got 65536'"
    })
    void aPortThatIsNoneIsRefused(String port, String why) {
        assertRefused(
                installation.run("-d", driver, "--metrics-port", port, workload), "benchmark: --metrics-port: " + why);
    }

    @Test
    void aPortThatIsNoNumberIsRefused() {
        Outcome outcome = installation.run("-d", driver, "--metrics-port", "many", workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("benchmark: Invalid value for option '--metrics-port': 'many' is not an int");
    }

    @Test
    void anAddressWithoutAPortIsRefused() {
        assertRefused(
                installation.run("-d", driver, "--metrics-host", "0.0.0.0", workload),
                "benchmark: --metrics-host: needs --metrics-port as well, got only '0.0.0.0'");
    }

    @Test
    void aPortInUseIsRefusedBeforeAnythingIsRun() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertRefused(
                    installation.run("-d", driver, "--metrics-port", "" + taken.getLocalPort(), workload),
                    "benchmark: --metrics-port: cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + " (Address already in use); take another port, or 0 for any free port");
        }
    }

    @Test
    void figuresAreServedWhileRunsGoOnAndNotAfterwards() throws Exception {
        String endless = installation.file("endless.yaml", ENDLESS, "samplePeriod: 100ms", "resourcePeriod: 200ms");
        AtomicReference<String> served = new AtomicReference<>("");
        Outcome outcome = installation.runUntil(
                "latencies of the second run are served",
                () -> {
                    String text = get(metricsAddress());
                    served.set(text);
                    return text.contains("benchmark_latency_seconds_count{")
                            && text.contains("benchmark_resource_cpu_core_percent{")
                            && text.contains("workload=\"endless\"");
                },
                "-d",
                driver,
                "--metrics-port",
                "0",
                workload,
                endless);

        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(served.get())
                .contains("benchmark_running 1.0", "benchmark_runs_total{verdict=\"OK\"} 1.0")
                .contains("benchmark_last_run_verdict{driver=\"Fake\",verdict=\"OK\",workload=\"workload\"} 1.0")
                .contains("outcome=\"lost\"")
                .contains("benchmark_target_rate{driver=\"Fake\",workload=\"endless\"} 1000.0")
                .contains("benchmark_phase{driver=\"Fake\",phase=\"measure\",workload=\"endless\"} 1.0")
                .contains("benchmark_messages_sent_total{driver=\"Fake\",workload=\"endless\"}")
                .contains("benchmark_resource_cpu_core_percent{driver=\"Fake\",name=\"harness\",role=\"harness\"");
        assertThatThrownBy(() -> get(metricsAddress())).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "65536, 65536"})
    void aPortOfThePageThatIsNoneIsRefused(String port, String got) {
        assertRefused(
                installation.run("-d", driver, "--ui-port", port, workload),
                "benchmark: --ui-port: must be a port from 1 to 65535, or 0 for any free port, got " + got);
    }

    @Test
    void aPortOfThePageInUseIsRefusedBeforeAnythingIsRun() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertRefused(
                    installation.run("-d", driver, "--ui-port", "" + taken.getLocalPort(), workload),
                    "benchmark: --ui-port: cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + " (Address already in use); take another port, or 0 for any free port");
        }
    }

    @Test
    void anAddressThatIsNotThisMachinesIsRefused() {
        assertRefused(
                installation.run("-d", driver, "--ui-host", "[zz]", workload),
                "benchmark: --ui-host: must be a name or an address of this machine, got '[zz]'");
        assertThat(installation
                        .run("-d", driver, "--ui-host", "192.0.2.1", workload)
                        .err())
                .contains("benchmark: --ui-port: cannot listen on 192.0.2.1:0");
    }

    @Test
    void thePageIsServedWhileRunsGoOnWithAllThatHaveEndedAndNotAfterwards() throws Exception {
        String endless = installation.file("endless.yaml", ENDLESS, "samplePeriod: 100ms", "resourcePeriod: 200ms");
        AtomicReference<String> known = new AtomicReference<>("");
        Outcome outcome = installation.runUntil(
                "the second run has a period",
                () -> {
                    String text = firstEvent(pageAddress());
                    known.set(text);
                    return text.contains("\"phase\":\"measure\"")
                            && text.contains("\"harness\"")
                            && text.contains("\"workload\":\"endless\"");
                },
                "-d",
                driver,
                "--ui",
                "--metrics-port",
                "0",
                workload,
                endless);

        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(known.get())
                // The run is INVALID if the machine is too busy.
                .containsPattern("\"title\":\"workload on Fake\",\"outcome\":\"(OK|INVALID)\"")
                .contains("\"current\":{\"number\":2,\"title\":\"endless on Fake\",\"done\":")
                .contains("\"latencies\":{");
        assertThat(outcome.out()).contains("live page: http://127.0.0.1:", "live metrics: http://127.0.0.1:");
        assertThatThrownBy(() -> get(pageAddress())).isInstanceOf(ConnectException.class);
    }

    @Test
    void aPageForOthersHasATokenInItsAddress() throws Exception {
        Outcome outcome = installation.run("-d", driver, "--ui-host", "127.0.0.1", workload);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).containsPattern("live page: http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/\\n");
    }

    private URI pageAddress() {
        return printedAddress("live page: ");
    }

    /** The first event that a reader receives. */
    private static String firstEvent(URI page) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(page.resolve("events"))
                .timeout(Patience.LIMIT)
                .build();
        try (Stream<String> lines = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()) {
            return lines.filter(line -> line.startsWith("data: ")).findFirst().orElseThrow();
        }
    }

    private URI metricsAddress() {
        return printedAddress("live metrics: ");
    }

    private URI printedAddress(String before) {
        return URI.create(installation
                .printed()
                .lines()
                .filter(line -> line.startsWith(before))
                .findFirst()
                .orElseThrow()
                .substring(before.length()));
    }

    private static String get(URI address) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Patience.LIMIT).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void whoStopsBeforeTheFirstRunGetsNone() throws Exception {
        installation.stop().request();
        Outcome outcome = installation.run("-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(outcome.out()).isEmpty();
        assertThat(installation.results()).isEmpty();
    }

    @Test
    void extraConsumersHaveNoEffectWithoutWorkers() {
        Outcome outcome = installation.run("--dry-run", "-x", "-d", driver, workload);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err().lines()).containsExactly("benchmark: --extra has no effect without workers");
    }

    @Test
    void aTableIsMadeOfResultsThatAreThere() throws Exception {
        installation.run("-d", driver, workload, workload);
        String results = installation.current().resolve("results").toString();
        Outcome outcome = installation.run("--csv", results);

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().lines().reduce((first, last) -> last).orElseThrow())
                .matches("2 results written to FOLDER/current/results-\\d+\\.csv(; [12] of them INVALID.*)?");
        assertThat(installation.tables())
                .singleElement()
                .satisfies(table -> assertThat(Files.readAllLines(table)).hasSize(3));
    }

    @Test
    void aTableIsMadeAfterTheRuns() throws Exception {
        String results = installation.current().resolve("results").toString();
        Outcome outcome = installation.run("-c", results, "-d", driver, workload);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(installation.tables())
                .singleElement()
                .satisfies(table -> assertThat(Files.readAllLines(table)).hasSize(2));
    }

    @Test
    void aTableOfAFolderThatThereIsNotIsRefused() {
        Outcome outcome = installation.run("--csv", folder.resolve("nowhere").toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("benchmark: FOLDER/nowhere"));
    }

    @Test
    void thatIsFoundOutBeforeTheRuns() throws Exception {
        Outcome outcome = installation.run("--csv", folder.resolve("nowhere").toString(), "-d", driver, workload);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines()).containsExactly("benchmark: --csv: there is no folder FOLDER/nowhere");
        assertThat(outcome.out()).isEmpty();
        assertThat(installation.results()).isEmpty();
    }

    @Test
    void filesThatAreNoResultsAreSkippedWithAWord() throws Exception {
        installation.file("stranger.json", "{}");
        Outcome outcome = installation.run("--csv", installation.current().toString());
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("skipped stranger.json: "));
        assertThat(outcome.out()).startsWith("0 results written");
    }

    @Test
    void aDryRunSaysWhatWouldRunAndForHowLong() throws Exception {
        String fixed = installation.file(
                "fixed.yaml",
                WORKLOAD.replace("unlimited", "2500").replace("messageCount: 200", "testDurationMinutes: 5"),
                "name: five minutes");
        String search = installation.file(
                "search.yaml",
                WORKLOAD.replace("unlimited", "0")
                        .replace("messageCount: 200", "testDuration: 90s")
                        .replace("warmupDuration: 0s", "warmupDuration: 1500ms"));
        String count = installation.file("count.yaml", WORKLOAD.replace("unlimited", "50"));
        String backlog = installation.file(
                "backlog.yaml",
                WORKLOAD.replace("unlimited", "0.5").replace("messageCount: 200", "testDuration: 1h"),
                "consumerBacklogSizeGB: 3");
        Outcome outcome = installation.run("--dry-run", "-d", driver, workload, fixed, search, count, backlog);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        String clients = "  topics    1 with 1 partition; for each 1 producer, 1 subscription of 1 consumer\n";
        String system =
                "  driver    FOLDER/current/driver.yaml (fake-client 2.0)\n" + "  broker    inside this process\n";
        assertThat(outcome.out())
                .isEqualTo("run 1 of 5: workload on Fake\n" + system
                        + "  workload  FOLDER/current/workload.yaml\n" + clients
                        + "  load      as fast as the client accepts it, messages of 100 bytes\n"
                        + "  time      warm-up 0s, then until 200 messages have arrived\n"
                        + "run 2 of 5: five minutes on Fake\n" + system
                        + "  workload  FOLDER/current/fixed.yaml\n" + clients
                        + "  load      2500 msg/s, messages of 100 bytes\n"
                        + "  time      warm-up 0s, then 5m\n"
                        + "run 3 of 5: search on Fake\n" + system
                        + "  workload  FOLDER/current/search.yaml\n" + clients
                        + "  load      the highest sustainable rate, to be found, messages of 100 bytes\n"
                        + "  time      warm-up 1s500ms, then 1m30s\n"
                        + "run 4 of 5: count on Fake\n" + system
                        + "  workload  FOLDER/current/count.yaml\n" + clients
                        + "  load      50 msg/s, messages of 100 bytes\n"
                        + "  time      warm-up 0s, then until 200 messages have arrived\n"
                        + "run 5 of 5: backlog on Fake\n" + system
                        + "  workload  FOLDER/current/backlog.yaml\n" + clients
                        + "  load      0.5 msg/s, messages of 100 bytes, a backlog of 3 GiB\n"
                        + "  time      warm-up 0s, then 1h\n"
                        + "all together: at least 1h6m35s500ms\n");
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void aDryRunOfASweepTellsItsRatesAndTheirTime() throws Exception {
        String sweep = installation.file(
                "sweep.yaml",
                WORKLOAD.replace("producerRate: unlimited\n", "").replace("messageCount: 200\n", ""),
                "rateSweep: {from: 1000, to: 8000, steps: 4, each: 30s, beyond: 1}");
        Outcome outcome = installation.run("--dry-run", "-d", driver, sweep);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains(
                        "  load      4 rates, each for 30s after 12s: 1,000, 2,000, 4,000, 8,000 msg/s, up to the first that is"
                                + " not sustained and 1 more, messages of 100 bytes\n"
                                + "  time      warm-up 0s, then 2m48s\n");
    }

    @Test
    void aCountWithATimeEndsWithWhicheverComesFirst() throws Exception {
        String both = installation.file("both.yaml", WORKLOAD.replace("unlimited", "50"), "testDuration: 3s");
        Outcome outcome = installation.run("--dry-run", "-d", driver, both);
        assertThat(outcome.out())
                .contains("then until 200 messages have arrived, at most 3s")
                .contains("at least 3s");
    }

    @Test
    void withoutProducersTheDriverFileHasToNameWhatIsThere() throws Exception {
        String consuming = installation.file(
                "consuming.yaml",
                WORKLOAD.replace("producersPerTopic: 1", "producersPerTopic: 0")
                        .replace("messageCount: 200", "testDuration: 5s"));
        Outcome refused = installation.run("--dry-run", "-d", driver, consuming);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("consuming.yaml: producersPerTopic: 0 consumes existing messages, but Fake (")
                .contains("names no topics: add existingTopics: [NAME]");

        String there = installation.file("there.yaml", DRIVER, "existingTopics: [orders]");
        Outcome accepted = installation.run("--dry-run", "-d", there, consuming);
        assertThat(accepted.exitCode()).as(accepted.err()).isZero();
        assertThat(accepted.out())
                .contains("  load      none: consumes existing messages\n"
                        + "  time      warm-up 0s, then until no more messages arrive, at most 5s\n");

        String two = installation.file("two.yaml", WORKLOAD.replace("topics: 1", "topics: 2"));
        assertThat(installation.run("--dry-run", "-d", there, two).err())
                .contains("two.yaml: topics: must be at most 1, the number of existingTopics of Fake");
    }

    @Test
    void aDryRunNeitherStartsNorAsksABroker() throws Exception {
        String brokered =
                installation.file("brokered.yaml", TestInstallation.BROKERED_DRIVER, "localBroker: {nodes: 3}");
        Outcome outcome = installation.run("--dry-run", "-d", brokered, workload);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains("  broker    127.0.0.1:1, or if nothing listens there a local one of 3 node(s)\n");
        assertThat(FakeLocalBroker.started()).isEmpty();

        Outcome local =
                installation.run("--dry-run", "--brokers", "LOCAL", "--local-nodes", "2", "-d", brokered, workload);
        assertThat(local.out()).contains("  broker    local, 2 node(s), started for the run\n");

        Outcome external = installation.run("--dry-run", "--brokers", "external", "-d", brokered, workload);
        assertThat(external.out().lines()).contains("  broker    127.0.0.1:1");
        assertThat(FakeLocalBroker.started()).isEmpty();
    }

    @Test
    void aDryRunFindsTheSameFaultsAsARun() throws Exception {
        String bad = installation.file("bad.yaml", WORKLOAD, "topiks: 1");
        assertThat(installation.run("--dry-run", "-d", driver, bad).exitCode()).isEqualTo(2);
        assertThat(installation.run("--dry-run").exitCode()).isEqualTo(2);
        assertThat(List.of(installation.current().resolve("results"))).noneMatch(Files::exists);
    }
}
