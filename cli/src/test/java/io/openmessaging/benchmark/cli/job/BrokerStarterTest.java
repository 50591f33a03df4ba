package io.openmessaging.benchmark.cli.job;

import static io.openmessaging.benchmark.cli.TestInstallation.BROKERED_DRIVER;
import static io.openmessaging.benchmark.cli.TestInstallation.ENDLESS;
import static io.openmessaging.benchmark.cli.TestInstallation.WORKLOAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.cli.FakeLocalBroker;
import io.openmessaging.benchmark.cli.TestInstallation;
import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.fake.BrokeredFakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests whether and how a broker is started, and that it does not outlive its runs. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BrokerStarterTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private ConfiguredDriver driver(boolean hasLocalBroker, List<String> addresses, String... lines) throws Exception {
        Path file = folder.resolve("a-driver.yaml");
        Files.writeString(file, "name: x\ndriverClass: example.X\n" + String.join("\n", lines) + "\n");
        FakeDriver driver = hasLocalBroker ? new BrokeredFakeDriver() : new FakeDriver();
        DriverFile read = DriverFile.read(file);
        LoadedDriver<?> loaded = new LoadedDriver<>(
                DriverDescription.of(read.driver()), driver, new FakeDriver.Config(addresses, null, false, List.of()));
        return new ConfiguredDriver(read, loaded, description -> loaded);
    }

    private ConfiguredDriver withExistingTopics() throws Exception {
        ConfiguredDriver one = driver(true, List.of("localhost:1"));
        LoadedDriver<?> loaded = new LoadedDriver<>(
                DriverDescription.of(one.file().driver()),
                new BrokeredFakeDriver(),
                new FakeDriver.Config(List.of("localhost:1"), null, false, List.of("orders")));
        return new ConfiguredDriver(one.file(), loaded, description -> loaded);
    }

    /** A driver whose configuration needs three nodes. */
    private ConfiguredDriver ofThree(String... lines) throws Exception {
        ConfiguredDriver one = driver(true, List.of("localhost:1"), lines);
        LoadedDriver<?> needing = new LoadedDriver<>(
                DriverDescription.of(one.file().driver()),
                new BrokeredFakeDriver() {
                    @Override
                    public Optional<NodeNeeds> nodeNeeds(Config config) {
                        return Optional.of(new NodeNeeds(3, "replicationFactor: 3"));
                    }
                },
                new FakeDriver.Config(List.of("localhost:1"), null, false, List.of()));
        return new ConfiguredDriver(one.file(), needing, description -> needing);
    }

    private Suite suite(ConfiguredDriver driver) {
        return new Suite(List.of(driver), List.of(), ResultFiles.inFolder(folder), Optional.empty());
    }

    @Test
    void aBrokerHasTheNodesThatTheDriverFileNeeds() throws Exception {
        assertThat(starter(BrokerMode.LOCAL, null).describe(ofThree()))
                .isEqualTo("local, 3 node(s), started for the run");
        starter(BrokerMode.LOCAL, null).check(suite(ofThree()), Optional.empty());
        starter(BrokerMode.LOCAL, 5).check(suite(ofThree()), Optional.empty());
    }

    @Test
    void fewerNodesThanTheDriverFileNeedsAreRefusedWithTheOption() throws Exception {
        String file = folder.resolve("a-driver.yaml")
                + ": replicationFactor: 3 needs 3 nodes, and a local broker would have ";
        assertThatThrownBy(() -> starter(BrokerMode.LOCAL, 1).check(suite(ofThree()), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessage("benchmark: " + file + "1 by --local-nodes: raise that to 3, or leave it out");
        ConfiguredDriver two = ofThree("localBroker: {nodes: 2}");
        assertThatThrownBy(() -> starter(BrokerMode.LOCAL, null).check(suite(two), Optional.empty()))
                .hasMessage("benchmark: " + file + "2 by localBroker.nodes: raise that to 3, or leave it out");
        // A broker that already listens may have more nodes.
        starter(BrokerMode.AUTO, null).check(suite(two), Optional.empty());
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null)
                        .startFor(two, starter(BrokerMode.AUTO, null).limits(two), Separation.NONE, "run"))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith(file);
    }

    /** A new broker has none of these topics. */
    @Test
    void noBrokerIsStartedForExistingTopics() throws Exception {
        ConfiguredDriver existing = withExistingTopics();
        BrokerStarter auto = starter(BrokerMode.AUTO, null);
        auto.check(suite(existing), Optional.empty());
        assertThat(auto.startFor(existing, RunLimits.NONE, Separation.NONE, "run"))
                .isEmpty();
        assertThat(BrokerStarter.nobodyListens(existing)).contains("nothing listens on localhost:1");
        assertThatThrownBy(() -> starter(BrokerMode.LOCAL, null).check(suite(existing), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessage("benchmark: --brokers local: " + folder.resolve("a-driver.yaml")
                        + " names existingTopics, which a broker that is started for the run does not have");
    }

    private BrokerStarter starter(BrokerMode mode, @Nullable Integer nodes) {
        return new BrokerStarter(
                mode, nodes, new Installation(folder.resolve("home"), folder), new PrintWriter(out, true));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, 5, ",
        "2, 2, 4, '2 nodes and 3 clients'",
        "1, 2, 3, '1 node and 3 clients'",
        "2, 1, 2, '2 nodes and 2 clients'",
        "1, 1, 2, "
    })
    void moreNodesAndClientsThanProcessorsAreToldBeforeUnlessThereCannotBeFewer(
            int nodes, int consumers, int processors, @Nullable String crowd) throws Exception {
        Path workload = folder.resolve("workload.yaml");
        Files.writeString(
                workload,
                TestInstallation.WORKLOAD.replace(
                        "consumerPerSubscription: 1", "consumerPerSubscription: " + consumers));
        Job job = new Suite(
                List.of(driver(true, List.of("localhost:1"))),
                List.of(WorkloadFile.read(workload, folder)),
                ResultFiles.inFolder(folder),
                Optional.empty());
        assertThat(starter(BrokerMode.LOCAL, nodes).crowding(job, Optional.empty(), processors))
                .isEqualTo(Optional.ofNullable(crowd)
                        .map(who -> "warning: this machine has " + processors + " processors for x: " + who
                                + ". If they are full, the machine is measured instead of the system (HostSaturated):"
                                + " use fewer nodes and clients, or other machines for the workers or the brokers"));
        assertThat(starter(BrokerMode.EXTERNAL, nodes).crowding(job, Optional.empty(), 1))
                .as("the broker may be anywhere")
                .isEmpty();
    }

    /** LISTENING stands for a port of this machine that is taken, SILENT for one on which nothing listens. */
    @ParameterizedTest
    @CsvSource({
        "AUTO,     true,  127.0.0.1:SILENT,                     true",
        "AUTO,     true,  localhost:SILENT,                     true",
        "AUTO,     true,  LOCALHOST:SILENT,                     true",
        "AUTO,     true,  [::1]:SILENT,                         true",
        "AUTO,     true,  127.0.0.2:SILENT,                     true",
        "AUTO,     true,  127.0.0.1:LISTENING,                  false",
        "AUTO,     true,  localhost:LISTENING,                  false",
        "AUTO,     true,  127.0.0.1:SILENT 127.0.0.1:LISTENING, false",
        "AUTO,     true,  127.0.0.1:SILENT localhost:SILENT,    true",
        "AUTO,     true,  192.0.2.1:9092,                       false",
        "AUTO,     true,  broker.invalid:9092,                  false",
        "AUTO,     true,  127.0.0.1.example.invalid:9092,       false",
        "AUTO,     true,  127.0.0.1:SILENT 192.0.2.1:9092,      false",
        "AUTO,     true,  localhost,                            false",
        "AUTO,     true,  localhost:many,                       false",
        "AUTO,     true,  localhost:99999,                      false",
        "AUTO,     true,  '',                                   false",
        "AUTO,     false, 127.0.0.1:SILENT,                     false",
        "LOCAL,    true,  127.0.0.1:SILENT,                     true",
        "LOCAL,    true,  127.0.0.1:LISTENING,                  true",
        "LOCAL,    true,  192.0.2.1:9092,                       true",
        "EXTERNAL, true,  127.0.0.1:SILENT,                     false",
        "EXTERNAL, true,  127.0.0.1:LISTENING,                  false",
        "EXTERNAL, true,  192.0.2.1:9092,                       false",
        "EXTERNAL, false, 127.0.0.1:SILENT,                     false",
    })
    void aBrokerIsStartedWhereItIsMeantToBe(BrokerMode mode, boolean hasLocalBroker, String addresses, boolean starts)
            throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            List<String> pointedTo = addresses.isEmpty()
                    ? List.of()
                    : List.of(addresses
                            .replace("LISTENING", String.valueOf(listening.getLocalPort()))
                            .replace("SILENT", "1")
                            .split(" "));
            Optional<RunningBroker> running = starter(mode, null)
                    .startFor(driver(hasLocalBroker, pointedTo), RunLimits.NONE, Separation.NONE, "run1");

            assertThat(running.isPresent()).isEqualTo(starts);
            assertThat(FakeLocalBroker.started()).hasSize(starts ? 1 : 0);
            assertThat(out.toString().isEmpty()).isEqualTo(!starts);
        }
    }

    @Test
    void itIsStartedAsTheDriverFileHasIt() throws Exception {
        ConfiguredDriver driver = driver(
                true, List.of("localhost:1"), "localBroker: {name: fake, version: system, nodes: 3, heap: 600m}");
        starter(BrokerMode.AUTO, null).startFor(driver, RunLimits.NONE, Separation.NONE, "run1");

        LocalBrokerOptions options = FakeLocalBroker.started().get(0);
        assertThat(options.nodes()).isEqualTo(3);
        assertThat(options.version()).isEqualTo(Version.SYSTEM);
        assertThat(options.jvm().heap()).isEqualTo("600m");
        assertThat(options.place().home()).isEqualTo(folder.resolve("home"));
        assertThat(options.place().folder()).isEqualTo(folder.resolve("home/.brokers/runs/fake-run1"));
        assertThat(options.place().firstPort()).isZero();
        assertThat(options.place().lifetime()).isEqualTo(Lifetime.WITH_STARTER);
        assertThat(options.jvm().exporter()).isTrue();
    }

    @Test
    void itHasNoExporterIfTheDriverFileSaysSo() throws Exception {
        ConfiguredDriver driver = driver(true, List.of("localhost:1"), "localBroker: {exporter: false}");
        starter(BrokerMode.AUTO, null).startFor(driver, RunLimits.NONE, Separation.NONE, "run1");

        assertThat(FakeLocalBroker.started().get(0).jvm().exporter()).isFalse();
    }

    @Test
    void itIsLimitedAsTheDriverFileHasIt() throws Exception {
        ConfiguredDriver driver =
                driver(true, List.of("localhost:1"), "limits: {broker: {cpus: 0.5, memory: 512m}, clients: {cpus: 1}}");
        BrokerStarter starter = starter(BrokerMode.AUTO, null);
        starter.startFor(driver, starter.limits(driver), Separation.NONE, "run1");

        ProcessLimit broker = new ProcessLimit(0.5, 512L << 20);
        LocalBrokerOptions options = FakeLocalBroker.started().get(0);
        assertThat(options.confinement().enforcement().asked()).isEqualTo(broker);
        ResourceLimits limits = starter.limits(driver).during(true);
        assertThat(limits.broker()).isEqualTo(options.confinement().enforcement());
        assertThat(limits.clients().asked()).isEqualTo(new ProcessLimit(1.0, null));
        assertThat(RunLimits.describe(limits).orElseThrow())
                .startsWith("broker, each process: 0.5 processors (")
                .contains(" · clients: 1 processor (");
    }

    @Test
    void aBrokerThatWasNotStartedHereIsNotLimitedAndThatIsSaid() throws Exception {
        ConfiguredDriver driver = driver(true, List.of("192.0.2.1:9092"), "limits: {broker: {cpus: 0.5}}");
        BrokerStarter starter = starter(BrokerMode.AUTO, null);
        assertThat(starter.wouldStart(driver)).isFalse();
        assertThat(RunLimits.describe(starter.limits(driver).during(false)))
                .contains("broker, each process: 0.5 processors (not enforced); the broker was not started by this"
                        + " program");
    }

    @Test
    void withoutLimitsNothingIsSaidOfThem() throws Exception {
        ConfiguredDriver driver = driver(true, List.of("localhost:1"));
        assertThat(RunLimits.describe(
                        starter(BrokerMode.AUTO, null).limits(driver).during(false)))
                .isEmpty();
    }

    @Test
    void byDefaultItHasOneNodeAndItsOwnHeap() throws Exception {
        starter(BrokerMode.AUTO, null)
                .startFor(driver(true, List.of("localhost:1")), RunLimits.NONE, Separation.NONE, "run1");
        assertThat(FakeLocalBroker.started().get(0).nodes()).isEqualTo(1);
        assertThat(FakeLocalBroker.started().get(0).jvm().heap()).isNull();
    }

    @Test
    void theCommandLineHasTheLastWordOnTheNodes() throws Exception {
        ConfiguredDriver driver = driver(true, List.of("localhost:1"), "localBroker: {nodes: 3}");
        starter(BrokerMode.LOCAL, 5).startFor(driver, RunLimits.NONE, Separation.NONE, "run1");
        assertThat(FakeLocalBroker.started().get(0).nodes()).isEqualTo(5);
    }

    @Test
    void whatIsStartedAndWhyIsSaidInTheSameWordsEverywhere() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            starter(BrokerMode.AUTO, null)
                    .startFor(driver(true, List.of("localhost:1")), RunLimits.NONE, Separation.NONE, "run1");
        } finally {
            Locale.setDefault(before);
        }
        assertThat(out.toString().lines().toList()).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("nothing listens on localhost:1: starting a local fake, 1 node(s)");
            assertThat(lines.get(1)).isEqualTo("fetching the fake broker");
            assertThat(lines.get(2)).matches("Fake Broker 3\\.1 is ready on 127\\.0\\.0\\.1:4242 after \\d+\\.\\d s");
        });
    }

    private static Job job(ConfiguredDriver... drivers) {
        return new Suite(List.of(drivers), List.of(), ResultFiles.inFolder(Path.of("results")), Optional.empty());
    }

    @Test
    void whatCannotWorkIsRefusedForAllDriversAtOnce() throws Exception {
        ConfiguredDriver with = driver(true, List.of("localhost:1"));
        ConfiguredDriver without = driver(false, List.of("localhost:1"));
        assertThatThrownBy(() -> starter(BrokerMode.LOCAL, null).check(job(with, without), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no local broker for");
        starter(BrokerMode.AUTO, 9).check(job(with, without), Optional.empty());
        starter(BrokerMode.LOCAL, 1).check(job(with), Optional.empty());
    }

    @Test
    void aBrokerThatTheDriverDoesNotWorkWithIsRefused() throws Exception {
        ConfiguredDriver other = driver(true, List.of("localhost:1"), "localBroker: {name: kafka}");
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job(other), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith("a-driver.yaml: localBroker.name: must be one of fake, got kafka");
        ConfiguredDriver without = driver(false, List.of("localhost:1"), "localBroker: {name: kafka}");
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job(without), Optional.empty()))
                .hasMessageEndingWith("there is no local broker for this driver; remove the key, got kafka");
    }

    @Test
    void moreClientsThanAProcessCanHaveAreRefusedUnlessWorkersShareThem() throws Exception {
        FakeDriver needy = new FakeDriver() {
            @Override
            public Optional<ProcessNeeds> processNeeds(
                    Config config, int producers, int consumers, boolean consumersBlock) {
                return Optional.of(new ProcessNeeds(1, Long.MAX_VALUE - 1, "use fewer"));
            }
        };
        Path file = Files.writeString(folder.resolve("needy.yaml"), "name: x\ndriverClass: example.X\n");
        DriverFile read = DriverFile.read(file);
        LoadedDriver<?> loaded = new LoadedDriver<>(
                DriverDescription.of(read.driver()),
                needy,
                new FakeDriver.Config(List.of("192.0.2.1:1"), null, false, List.of()));
        Path workload = Files.writeString(folder.resolve("workload.yaml"), TestInstallation.WORKLOAD);
        Job job = new Suite(
                List.of(new ConfiguredDriver(read, loaded, description -> loaded)),
                List.of(WorkloadFile.read(workload, folder)),
                ResultFiles.inFolder(Path.of("results")),
                Optional.empty());
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job, Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("workload.yaml with ")
                .hasMessageContaining("needy.yaml: 1 producers and 1 consumers need at least")
                .hasMessageContaining("(ulimit -n)")
                .hasMessageEndingWith("use fewer, or raise the limit, or spread them over workers");
        starter(BrokerMode.AUTO, null).check(job, workerAt("http://192.0.2.2:1"));
    }

    private static Optional<FleetRequest> workerAt(String address) {
        return Optional.of(new FleetRequest(
                List.of(Address.parse(address, WorkersFile.WORKER)),
                0,
                null,
                true,
                Roles.MIXED,
                false,
                FleetRequest.Waits.with(WorkerTimeouts.defaults())));
    }

    @Test
    void aBrokerOnLoopbackIsRefusedForWorkersElsewhere() throws Exception {
        ConfiguredDriver here = driver(true, List.of("localhost:1"));
        ConfiguredDriver there = driver(true, List.of("192.0.2.9:1"));
        Optional<FleetRequest> elsewhere = workerAt("https://192.0.2.1:8080");

        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job(there, here), elsewhere))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(
                        "the worker https://192.0.2.1:8080 cannot reach a broker on this machine's loopback");
        assertThatThrownBy(() -> starter(BrokerMode.LOCAL, null).check(job(there), elsewhere))
                .isInstanceOf(UserException.class);
        starter(BrokerMode.AUTO, null).check(job(there), elsewhere);
        starter(BrokerMode.LOCAL, null).check(job(here), workerAt("http://127.0.0.1:8080"));
    }

    @Test
    void limitsOfClientsAreRefusedForWorkers() throws Exception {
        ConfiguredDriver limited = driver(true, List.of("localhost:1"), "limits: {clients: {cpus: 1}}");
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job(limited), workerAt("http://127.0.0.1:1")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("a-driver.yaml: limits.clients: the load comes from workers");
    }

    @Test
    void limitsOfEachClientAreRefusedWhereTheirProcessesCannotBe() throws Exception {
        String each = "limits: {eachClient: {cpus: 0.5}}";
        ConfiguredDriver limited = driver(true, List.of("localhost:1"), each);
        BrokerStarter starter = starter(BrokerMode.AUTO, null);
        assertThatThrownBy(() -> starter.check(job(limited), workerAt("http://127.0.0.1:1")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("a-driver.yaml: limits.eachClient: starts a limited process for each producer");
        ConfiguredDriver inside = driver(false, List.of(), each);
        assertThatThrownBy(() -> starter.check(job(inside), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("limits.eachClient: the system is inside this process");

        starter.check(job(limited), Optional.empty());
        RunLimits limits = starter.limits(limited);
        assertThat(limits.limitsEachClient()).isTrue();
        assertThat(RunLimits.describe(limits.during(true)).orElseThrow())
                .startsWith("each producer and each consumer: 0.5 processors (");
    }

    /** No machine has that many processors, so this one cannot give them to each client. */
    @Test
    void limitsOfEachClientThatCannotBeEnforcedAreRefusedBeforeARunOnly() throws Exception {
        ConfiguredDriver greedy = driver(true, List.of("localhost:1"), "limits: {eachClient: {cpus: 4096}}");
        BrokerStarter starter = starter(BrokerMode.AUTO, null);
        starter.check(job(greedy), Optional.empty());
        assertThatThrownBy(() -> starter.checkEnforcement(job(greedy)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("a-driver.yaml: limits.eachClient cannot be enforced: ")
                .hasMessageContaining("4096 processors are more than the ")
                .hasMessageEndingWith("or limit all clients together with limits.clients");
    }

    @Test
    void aSystemInsideThisProcessIsRefusedForWorkers() throws Exception {
        ConfiguredDriver inside = driver(false, List.of());
        assertThatThrownBy(() -> starter(BrokerMode.AUTO, null).check(job(inside), workerAt("http://127.0.0.1:1")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the system is inside this process");
    }

    private String brokered(String... lines) throws IOException {
        return installation.file("brokered.yaml", BROKERED_DRIVER + String.join("\n", lines));
    }

    private String workload() throws IOException {
        return installation.file("workload.yaml", WORKLOAD);
    }

    @Test
    void oneBrokerServesAllRunsOfADriverAndThenEnds() throws Exception {
        Outcome outcome = installation.run("-d", brokered(), workload(), workload());

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(FakeLocalBroker.started()).hasSize(1);
        assertThat(FakeLocalBroker.closed()).isEqualTo(1);
        assertThat(installation.results()).hasSize(2).allSatisfy(file -> {
            JsonNode broker = TestInstallation.json(file).path("broker");
            // The result has the address that the driver connected to, as the driver reports it.
            assertThat(broker.path("nodes").path(0).asString()).isEqualTo(FakeLocalBroker.ADDRESS);
            assertThat(broker.path("managed").asBoolean()).isTrue();
            assertThat(broker.path("localBroker").path("heap").asString()).isEqualTo("of the fake");
        });
        assertThat(outcome.out()).contains("nothing listens on 127.0.0.1:1: starting a local fake, 1 node(s)\n");
    }

    @Test
    void anExternalBrokerIsNotStarted() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String address = "127.0.0.1:" + listening.getLocalPort();
            String driver = Files.writeString(
                            installation.current().resolve("elsewhere.yaml"),
                            Files.readString(Path.of(brokered())).replace("127.0.0.1:1", address))
                    .toString();
            Outcome outcome = installation.run("--brokers", "external", "-d", driver, workload());
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(FakeLocalBroker.started()).isEmpty();
            JsonNode broker = installation.result().path("broker");
            assertThat(broker.path("nodes").path(0).asString()).isEqualTo(address);
            assertThat(broker.path("managed").asBoolean(true)).isFalse();
        }
    }

    @Test
    void anExternalBrokerThatIsNotThereIsSaidAtOnce() throws Exception {
        Outcome outcome = installation.run("--brokers", "external", "-d", brokered(), workload());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .isEqualTo("benchmark: FOLDER/current/brokered.yaml: nothing listens on 127.0.0.1:1\n");
        assertThat(FakeLocalBroker.started()).isEmpty();
        assertThat(installation.results()).isEmpty();
    }

    @Test
    void aBrokerEndsAfterRunsThatFail() throws Exception {
        Outcome outcome = installation.run("-d", brokered("failingCall: CONNECT"), workload(), workload());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err().lines())
                .hasSize(2)
                .allMatch(line -> line.equals("benchmark: the fake system refuses CONNECT"));
        assertThat(FakeLocalBroker.closed()).isEqualTo(1);
    }

    @Test
    void aBrokerThatDiesIsTheCauseAndItsNextRunIsNotTried() throws Exception {
        String endless = installation.file("endless.yaml", ENDLESS, "samplePeriod: 100ms");
        Outcome outcome = installation.runAndOnce(
                "a period is printed",
                () -> installation.printed().contains("measure "),
                () -> FakeLocalBroker.die("fake-1 has ended: disk full"),
                "-d",
                brokered(),
                endless,
                workload());

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("endless on Brokered: FAILED", "fake-1 has ended: disk full");
        assertThat(outcome.err().lines()).containsExactly("benchmark: fake-1 has ended: disk full");
        assertThat(FakeLocalBroker.closed()).isEqualTo(1);
    }

    @Test
    void aBrokerEndsWhenTheUserWantsToStop() throws Exception {
        String endless = installation.file("endless.yaml", ENDLESS, "samplePeriod: 100ms");
        Outcome outcome = installation.runUntil(
                "a period is printed",
                () -> installation.printed().contains("measure "),
                "-d",
                brokered(),
                endless,
                workload());

        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(FakeLocalBroker.closed()).isEqualTo(1);
        assertThat(installation.results()).hasSize(1);
    }

    @Test
    void startingABrokerCanBeInterrupted() throws Exception {
        FakeLocalBroker.onStart(() -> {
            installation.stop().request();
            new CountDownLatch(1).await();
        });
        Outcome outcome = installation.run("-d", brokered(), workload());
        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(outcome.err()).isEmpty();
        assertThat(FakeLocalBroker.closed()).isZero();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(installation.results()).isEmpty();
    }

    @Test
    void aQuickComparisonThatIsInterruptedWhileABrokerStartsHasNotFailed() throws Exception {
        FakeLocalBroker.onStart(() -> {
            installation.stop().request();
            new CountDownLatch(1).await();
        });
        Outcome outcome = installation.run("quick", brokered());
        assertThat(outcome.exitCode()).isEqualTo(130);
        assertThat(outcome.out())
                .containsPattern("(?m)^Brokered .*INTERRUPTED$")
                .doesNotContain("FAILED");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void aBrokerThatCannotBeStartedFailsItsRunsButNotThoseOfOtherDrivers() throws Exception {
        FakeLocalBroker.onStart(() -> {
            throw new LocalBrokerException("no room for a broker: free some memory", null);
        });
        String other = installation.file("other.yaml", TestInstallation.DRIVER);
        Outcome outcome = installation.run("-d", brokered() + "," + other, workload());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err().lines()).containsExactly("benchmark: no room for a broker: free some memory");
        assertThat(outcome.out()).contains("workload on Fake: OK");
    }
}
