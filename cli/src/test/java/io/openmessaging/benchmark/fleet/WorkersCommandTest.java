package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeout;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyMaker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Workers in this process, checked as before a run and as during one. */
class WorkersCommandTest {

    private static final Build BUILD = ServedWorkers.BUILD;
    private static final String FIGURES =
            "\\S+, 1\\.0 \\([0-9a-f]{8}\\), Java \\S+, \\d+ processors, round trip \\d+\\.\\d{3} ms";

    private final StringWriter printed = new StringWriter();
    private final ServedWorkers servers = new ServedWorkers();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @AfterEach
    void end() {
        servers.close();
    }

    private String serve(@Nullable KeyFile key) throws IOException {
        return servers.start(key, 0).url();
    }

    /** A busy machine may take long for a first TLS handshake. */
    private int execute(Build own, String... given) {
        List<String> arguments =
                new ArrayList<>(List.of("--worker-limit", "answer=" + Patience.LIMIT.toSeconds() + "s"));
        arguments.addAll(List.of(given));
        PrintWriter writer = new PrintWriter(printed, true);
        return new CommandLine(new WorkersCommand(new StopSignal(), folder, () -> own))
                .setOut(writer)
                .setErr(writer)
                .execute(arguments.toArray(new String[0]));
    }

    private List<String> lines() {
        return printed.toString().lines().toList();
    }

    private Fleet fleet(String url) throws Exception {
        return fleet(BUILD, null, line -> {}, url);
    }

    private Fleet fleet(Build build, @Nullable Duration wait, Consumer<String> console, String... urls)
            throws Exception {
        return Fleet.open(
                new FleetRequest(
                        Arrays.stream(urls)
                                .map(url -> Address.parse(url, WorkersFile.WORKER))
                                .toList(),
                        0,
                        null,
                        false,
                        Roles.MIXED,
                        false,
                        new FleetRequest.Waits(
                                WorkerTimeouts.defaults().with(WorkerTimeout.ANSWER, Patience.LIMIT), wait, true)),
                new Fleet.Installed(folder, build),
                console);
    }

    @Test
    void theFreeAndTheBusyAreThere() throws Exception {
        String free = serve(null);
        String busy = serve(null);
        try (Fleet other = fleet(busy)) {
            assertThat(other.describe()).hasSize(1);
            assertThat(execute(BUILD, "--workers", free + "," + busy))
                    .as(printed.toString())
                    .isZero();
        }
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0))
                .matches("worker 1 \\(" + free + "\\): " + FIGURES
                        + ", clock [+-]\\d+\\.\\d{3} ms ± \\d+ µs \\((UDP|HTTP)\\), free");
        assertThat(lines().get(1))
                .matches("worker 2 \\(" + busy + "\\): " + FIGURES
                        + ", busy: a run of bin/benchmark on \\S+, process \\d+ since \\S+, which waits for a request");
        fleet(free).close();
    }

    @Test
    void oneThatIsNotThereIsNamedAndTheOthersAreToldOf() throws Exception {
        String url = serve(null);
        Files.writeString(folder.resolve("workers.yaml"), "workers: [\"" + url + "\", \"http://127.0.0.1:1\"]\n");
        assertThat(execute(BUILD)).isEqualTo(1);
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).endsWith(", free");
        assertThat(lines().get(1)).startsWith("worker 2 (http://127.0.0.1:1): nothing listens there; start ");
    }

    @Test
    void oneOfAnotherBuildCannotBeUsed() throws Exception {
        assertThat(execute(new Build("2.0", Map.of()), "-w", serve(null))).isEqualTo(2);
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .matches("worker 1 \\(\\S+\\): " + FIGURES + ": another build: the worker runs 1.0 .*lib");
    }

    @Test
    void twoNamesOfOneProcessAreNotTwoWorkers() throws Exception {
        String url = serve(null);
        assertThat(execute(BUILD, "-w", url + "," + url.replace("127.0.0.1", "localhost")))
                .isEqualTo(2);
        assertThat(lines().get(1)).endsWith(": is the same process as worker 1 (" + url + ")");
    }

    @Test
    void withTheKeyTheyAreSeenByHttpsAndAnotherKeyIsBadInputAsForARun() throws Exception {
        Path file = folder.resolve("bench.key");
        Path other = folder.resolve("other.key");
        KeyMaker.make(file);
        KeyMaker.make(other);
        String url = serve(KeyFile.read(file));
        assertThat(execute(BUILD, "-w", url, "--key", file.toString()))
                .as(printed.toString())
                .isZero();
        assertThat(url).startsWith("https://");

        assertThat(execute(BUILD, "-w", url + ",https://127.0.0.1:1", "--key", other.toString()))
                .as("one may come back, but the other has another key")
                .isEqualTo(2);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("worker 1 (" + url + "): ") && line.contains("copy one key file"))
                .anyMatch(line -> line.startsWith("worker 2 (https://127.0.0.1:1): nothing listens there; start"));
    }

    @Test
    void aNameWithoutAnAddressIsNamedAndMayGetOne() {
        assertThat(execute(BUILD, "-w", "http://no-such-host.invalid:8080", "--insecure"))
                .isEqualTo(1);
        assertThat(lines())
                .containsExactly("worker 1 (http://no-such-host.invalid:8080): the name no-such-host.invalid cannot be"
                        + " resolved on this machine (DNS, /etc/hosts); check --workers or the workers file");
    }

    @Test
    void whatIsAwayIsAskedAgainUntilTheTimeIsUp() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        int port;
        try (WorkerServer server = servers.start(null, 0)) {
            port = server.address().getPort();
        }
        FutureTask<Inspection> waiting = new FutureTask<>(() -> inspect(Duration.ofHours(1), port, told));
        new Thread(waiting, "waiting").start();
        Patience.until("the wait is told", () -> !told.isEmpty());
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("waiting for workers, 1h at most: worker 1 (http://127.0.0.1:" + port
                        + "): nothing listens there");
        WorkerServer back = servers.start(null, port);
        assertThat(Patience.get("the worker", waiting).problems()).isEmpty();
        back.close();
        Inspection last = inspect(Duration.ZERO, port, told);
        assertThat(last.problems()).hasSize(1);
        assertThat(last.mayPass()).isTrue();
    }

    private static Inspection inspect(Duration limit, int port, List<String> told) throws Exception {
        return Inspection.within(
                limit,
                List.of(Address.parse("http://127.0.0.1:" + port, WorkersFile.WORKER)),
                new Workers.ConnectOptions(
                        BUILD,
                        "a test",
                        null,
                        false,
                        WorkerTimeouts.defaults().with(WorkerTimeout.ANSWER, Patience.LIMIT),
                        told::add),
                told::add);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-w w1:8080 | benchmark: --workers[0]: must be an address such as https://10.0.0.1:8080: it does not"
                        + " start with http:// or https://, got 'w1:8080'",
                "'' | benchmark: workers: none are given; use --workers URL,… or --workers-file FILE",
                "-w http://127.0.0.1:1 -wf w.yaml | benchmark: --workers and --workers-file: give only one of them",
                "-w https://127.0.0.1:1 --key none.key | benchmark: key file none.key: does not exist",
                "-w https://127.0.0.1:1 | benchmark: --workers: https://127.0.0.1:1 needs --key FILE"
            })
    void badArgumentsAreRefusedBeforeAnybodyIsAsked(String arguments, String message) {
        assertThat(execute(BUILD, arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(2);
        assertThat(printed.toString()).startsWith(message);
    }

    @Test
    void whoWaitsForABusyWorkerIsToldWhoHasItAndGetsItNext() throws Exception {
        String free = serve(null);
        String busy = serve(null);
        List<String> told = new CopyOnWriteArrayList<>();
        FutureTask<Fleet> waiting = new FutureTask<>(() -> fleet(BUILD, Duration.ofHours(1), told::add, free, busy));
        try (Fleet other = fleet(busy)) {
            new Thread(waiting, "waiting").start();
            Patience.until("the wait is told", () -> !told.isEmpty());
            assertThat(other.describe()).hasSize(1);
        }
        try (Fleet fleet = Patience.get("the workers", waiting)) {
            assertThat(fleet.describe()).hasSize(2);
        }
        assertThat(told)
                .first()
                .asString()
                .startsWith(
                        "waiting for workers, 1h at most: worker 2 (" + busy + "): busy: a run of bin/benchmark on ");
    }

    @Test
    void aWorkerThatIsAwayMayComeInTime() throws Exception {
        WorkerServer server = servers.start(null, 0);
        int port = server.address().getPort();
        server.close();
        CountDownLatch told = new CountDownLatch(1);
        FutureTask<Fleet> waiting = new FutureTask<>(
                () -> fleet(BUILD, Duration.ofHours(1), line -> told.countDown(), "http://127.0.0.1:" + port));
        new Thread(waiting, "waiting").start();
        Patience.await("the wait is told", told);
        servers.start(null, port);
        Patience.get("the worker", waiting).close();
    }

    @Test
    void aPlanGoesOnWithoutAWorkerThatStaysAwayAndSaysSo() throws Exception {
        WorkerServer first = servers.start(null, 0);
        String firstUrl = first.url();
        String second = serve(null);
        List<String> told = new ArrayList<>();
        try (Fleet fleet = fleet(BUILD, Duration.ZERO, told::add, firstUrl, second)) {
            assertThat(fleet.worker(progress -> {})).isNotNull();
            assertThat(fleet.notes()).isEmpty();
            first.close();
            Patience.until("the loss is known", fleet::hasLostOne);
            assertThat(fleet.worker(progress -> {})).isNotNull();
            assertThat(fleet.describe())
                    .singleElement()
                    .asString()
                    .as("a worker keeps its number")
                    .startsWith("worker 2 (" + second);
            assertThat(fleet.notes())
                    .singleElement()
                    .satisfies(note -> assertThat(note.text())
                            .startsWith("1 of 2 workers, among which all producers and consumers were placed")
                            .contains("worker 1 (" + firstUrl + "): nothing listens there"));
            assertThat(told).last().asString().startsWith("the runs go on without workers: worker 1 (");
        }
    }

    @Test
    void aWorkerThatIsLostBeforeTheFirstRunIsNotWaitedFor() throws Exception {
        WorkerServer only = servers.start(null, 0);
        List<String> told = new ArrayList<>();
        try (Fleet fleet = fleet(BUILD, null, told::add, only.url())) {
            only.close();
            Patience.until("the loss is known", fleet::hasLostOne);
            assertThatThrownBy(() -> fleet.worker(progress -> {}))
                    .isInstanceOfSatisfying(
                            FleetException.class, e -> assertThat(e.mayPass()).isTrue())
                    .hasMessageStartingWith("benchmark: worker 1 (")
                    .hasMessageContaining(" was lost: ");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void withoutAnyWorkerThereIsNoRun() throws Exception {
        WorkerServer only = servers.start(null, 0);
        try (Fleet fleet = fleet(BUILD, Duration.ZERO, line -> {}, only.url())) {
            assertThat(fleet.worker(progress -> {})).isNotNull();
            only.close();
            Patience.until("the loss is known", fleet::hasLostOne);
            assertThatThrownBy(() -> fleet.worker(progress -> {}))
                    .isInstanceOf(FleetException.class)
                    .hasMessageContaining("nothing listens there");
        }
    }

    @Test
    void onlyWhatMayPassIsWaitedFor() throws Exception {
        String url = serve(null);
        List<String> told = new ArrayList<>();
        assertThatThrownBy(() -> fleet(new Build("2.0", Map.of()), Duration.ofHours(1), told::add, url))
                .isInstanceOfSatisfying(
                        FleetException.class, e -> assertThat(e.mayPass()).isFalse())
                .hasMessageContaining("another build");
        assertThatThrownBy(() -> fleet(BUILD, Duration.ZERO, told::add, url, "http://127.0.0.1:1"))
                .isInstanceOfSatisfying(
                        FleetException.class, e -> assertThat(e.mayPass()).isTrue())
                .hasMessageContaining("worker 2 (http://127.0.0.1:1): nothing listens there");
        fleet(url).close();
        assertThat(told).as("nothing after the time was up").isEmpty();
    }

    @Test
    void theHelpFitsAScreen() {
        assertThat(execute(BUILD, "--help")).isZero();
        assertThat(lines()).hasSizeLessThan(40).anyMatch(line -> line.contains("--workers-file"));
    }

    @Test
    void aRunIsToldHowItsWorkersAre() throws Exception {
        List<List<WorkerState>> told = new ArrayList<>();
        try (Fleet fleet = fleet(serve(null))) {
            RunListener listener = fleet.listener(new RunListener() {
                @Override
                public void state(RunState now) {}

                @Override
                public void workers(List<WorkerState> now) {
                    told.add(now);
                }
            });
            listener.state(RunState.NONE);
        }
        assertThat(told).hasSize(1);
        assertThat(told.get(0)).singleElement().satisfies(worker -> {
            assertThat(worker.name()).startsWith("worker 1 (");
            assertThat(worker.isUp()).isTrue();
            assertThat(worker.clock()).isPresent();
            assertThat(worker.roundTripNs()).isPositive();
        });
    }
}
