package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.server.ServerCap;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers that are claimed, kept, lost and released. */
@ExtendWith(ServedResolver.class)
class KeptWorkersTest {

    private static final String SESSION = "a-session-of-this-test";

    private static final String ENDED = "its process has ended: connections to its port are refused";

    /** With these, silence does not end a wait of this test. */
    private static final WorkerTimeouts WITH_PATIENCE =
            WorkerTimeouts.defaults().with(WorkerTimeout.LOST, Patience.LIMIT.multipliedBy(2));

    private final Served served;
    private final FakeSystem system = new FakeSystem();
    private final WorkerCalls calls = new WorkerCalls("test", null, WorkerTimeouts.defaults());

    KeptWorkersTest(Served served) {
        this.served = served;
    }

    private WorkerServer serve() {
        return served.server(worker(), null, ServerCaps.defaults());
    }

    private Worker worker() {
        return TestDrivers.worker(system, new EpochClock());
    }

    static Workers claim(WorkerTimeouts timeouts, String... urls) throws Exception {
        return Workers.claim(
                List.of(urls), new Workers.ConnectOptions(Served.BUILD, "a test", null, false, timeouts, line -> {}));
    }

    @Test
    void aSecondCoordinatorIsToldWhoHasTheWorkerUntilItIsGivenBack() throws Exception {
        String url = serve().url();
        Workers first = claim(WorkerTimeouts.defaults(), url);
        assertThatThrownBy(() -> claim(WorkerTimeouts.defaults(), url))
                .isInstanceOf(WorkerException.class)
                .hasMessageStartingWith("worker 1 (" + url + "): busy: a run of a test since ");
        first.close();
        first.close();
        claim(WorkerTimeouts.defaults(), url).close();
    }

    @Test
    void ofSeveralWorkersAllThatCannotBeHadAreNamedAndTheOthersAreGivenBack() throws Exception {
        String free = serve().url();
        String busy = serve().url();
        try (Workers other = claim(WorkerTimeouts.defaults(), busy)) {
            assertThat(other.all())
                    .extracting(ClaimedWorker::name)
                    .containsExactly("worker 1 (" + busy.replace("http://", "") + ")");
            assertThatThrownBy(() -> claim(WorkerTimeouts.defaults(), free, busy, "http://127.0.0.1:1"))
                    .hasMessageContaining("worker 2 (" + busy + "): busy")
                    .hasMessageContaining("worker 3 (http://127.0.0.1:1): nothing listens there");
            claim(WorkerTimeouts.defaults(), free).close();
        }
    }

    @Test
    void aWorkerIsTakenOnceEvenIfItHasTwoNames() {
        WorkerServer server = serve();
        assertThatThrownBy(() -> claim(
                        WorkerTimeouts.defaults(), server.url(), server.url().replace("127.0.0.1", "localhost")))
                .hasMessageContaining("worker 2 (http://localhost:")
                .hasMessageContaining("is the same process as worker 1 (http://127.0.0.1:");
    }

    @Test
    void urlsAreCheckedBeforeAnybodyIsAsked() {
        assertThatThrownBy(() -> claim(WorkerTimeouts.defaults(), "w1", "http://192.0.2.1:8080", "https://w3:8080/a"))
                .hasMessageContaining(
                        "worker 1: must be a URL with a port, such as https://w1:8080: it does not start with http://"
                                + " or https://, got 'w1'")
                .hasMessageContaining("worker 2 (http://192.0.2.1:8080): http to another machine can be read")
                .hasMessageContaining("worker 3: must be a URL with a port");
    }

    @Test
    void anotherBuildIsNamedOnBothSides() {
        String url = serve().url();
        Build other = new Build("2.0", Map.of("lib", "xyz"));
        assertThatThrownBy(() -> Workers.claim(
                        List.of(url),
                        new Workers.ConnectOptions(
                                other, "a test", null, false, WorkerTimeouts.defaults(), line -> {})))
                .hasMessageContaining("another build: the worker runs " + Served.BUILD + ", the coordinator " + other);
    }

    @Test
    void aWorkerThatWasStartedAnewIsLostAtOnce() throws Exception {
        WorkerServer before = serve();
        ClaimedWorker worker = served.claim(null, before.url()).all().get(0);
        int port = before.address().getPort();
        before.close();
        served.server(worker(), null, ServerCaps.defaults(), port, Patience.LIMIT);
        Patience.until("it is lost", () -> worker.lost().isPresent());
        String reason = worker.lost().orElseThrow();
        // A sign of life may still be requested while the server closes, or before the new one listens.
        assertThat(reason)
                .isIn(
                        "its process was restarted",
                        ENDED,
                        "it has ended the run: the session is over: the worker was stopped");
        assertThatThrownBy(() -> new RemoteWorker(Served.run(worker)).status())
                .hasMessage(worker + ": lost: " + reason);
    }

    @Test
    void aWorkerWhosePortRefusesConnectionsIsLostWithoutWaitingForSilence() throws Exception {
        WorkerServer server = serve();
        try (Workers workers = claim(WITH_PATIENCE, server.url())) {
            ClaimedWorker worker = workers.all().get(0);
            server.close();
            assertThatThrownBy(() -> new RemoteWorker(Served.run(worker)).status())
                    .isInstanceOf(WorkerException.class)
                    // A sign of life may still be requested while the server closes.
                    .hasMessageMatching("(?s).*: lost: (" + ENDED + "|it has ended the run: the session is over).*");
        }
    }

    @Test
    void heartbeatsAreEnoughToFindOutThatAWorkerHasEnded() throws Exception {
        WorkerServer server = serve();
        try (Workers workers = claim(WITH_PATIENCE, server.url())) {
            ClaimedWorker worker = workers.all().get(0);
            server.close();
            Patience.until("it is lost", () -> worker.lost().isPresent());
            assertThat(worker.lost().orElseThrow())
                    .matches(ENDED + "|it has ended the run: the session is over: the worker was stopped");
        }
    }

    /** A host that drops packets may be cut off for a while only. */
    @Test
    void onlyARefusedConnectionProvesThatAProcessHasEnded() throws Exception {
        WorkerServer server = serve();
        try (Workers workers = claim(WITH_PATIENCE, server.url())) {
            ClaimedWorker worker = workers.all().get(0);
            worker.unanswered(new ConnectException("as if, but the port accepts connections"));
            worker.unanswered(new HttpTimeoutException("late"));
            assertThat(worker.lost()).isEmpty();
            worker.willEnd("a test ends it");
            worker.ended();
            worker.unanswered(new ConnectException("refused from now on"));
            assertThat(worker.lost()).contains("a test ends it");
        }
        assertThat(WorkerUrl.parse(1, "http://no-such-host.invalid:8080").isRefused())
                .isFalse();
    }

    /** The HTTP client's own limit ends with the headers. */
    @Test
    void anAnswerThatStallsInItsBodyEndsTheCallAndItsConnection() throws Exception {
        WorkerTimeouts timeouts = WorkerTimeouts.defaults().with(WorkerTimeout.ANSWER, Duration.ofMillis(200));
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                WorkerCalls impatient = new WorkerCalls("test", null, timeouts)) {
            server.setSoTimeout((int) Patience.LIMIT.toMillis());
            WorkerUrl url = WorkerUrl.parse(1, "http://127.0.0.1:" + server.getLocalPort());
            FutureTask<Throwable> release = new FutureTask<>(
                    () -> catchThrowable(() -> impatient.post(url, Paths.RELEASE, SESSION, WorkerCalls.NOTHING)));
            new Thread(release, "releasing").start();
            try (Socket socket = server.accept()) {
                socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".getBytes(StandardCharsets.UTF_8));
                assertThat(Patience.get("the end of the call", release)).isInstanceOf(HttpTimeoutException.class);
                assertThat(isClosed(socket)).isTrue();
            }
        }
    }

    /** Reads the request to its end, which is the end of the connection. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            // Reset.
            return true;
        }
    }

    @Test
    void aCoordinatorThatIsSilentLeavesNoLoadBehind() throws Exception {
        WorkerServer server = served.server(worker(), null, ServerCaps.defaults(), 0, Duration.ofSeconds(2));
        WorkerUrl url = WorkerUrl.parse(1, server.url());
        calls.post(url, Paths.CLAIM, null, Wire.write(new Claim(Served.BUILD, "a test", SESSION)));
        step(url, 1, Request.PREPARE, TestDrivers.prepare());
        step(url, 2, Request.START, new Worker.Start(1, 0, RateProfile.steady(1000), Long.MAX_VALUE));
        Patience.until("messages are sent", () -> system.sent() > 0);

        Patience.until(
                "it is free",
                () -> calls.get(url, Paths.INFO).read(WorkerInfo.class).busy() == null);

        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
        long sent = system.sent();
        WorkerCalls.Reply late = calls.post(url, Paths.step(1, 3, "status"), SESSION, new byte[0]);
        assertThat(late.status()).isEqualTo(Paths.OVER);
        assertThat(late.text()).contains("the coordinator was silent for 2000 ms");
        assertThat(system.sent()).isEqualTo(sent);
    }

    private void step(WorkerUrl url, int number, Request request, Object body) throws Exception {
        String path = Paths.step(1, number, request.name().toLowerCase(Locale.ROOT));
        Patience.until(
                request + " is done",
                () -> calls.post(url, path, SESSION, Wire.write(body)).is(Paths.DONE));
    }

    @Test
    void aStepThatTakesLongTellsHowFarItIsAndEndsAtItsLimit() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        system.on(Call.CREATE_PRODUCERS, release::await);
        WorkerServer server =
                served.server(worker(), null, ServerCaps.defaults().with(ServerCap.ANSWER_MS, 20));
        try (Workers workers = claim(WorkerTimeouts.defaults(), server.url())) {
            ClaimedWorker worker = workers.all().get(0);
            Member run = Served.member(worker);
            RemoteWorker remote = new RemoteWorker(Served.waiting(run));
            FutureTask<Worker.Prepared> preparing = new FutureTask<>(() -> remote.prepare(TestDrivers.prepare()));
            new Thread(preparing, "preparing").start();
            Patience.until("it tells how far it is", () -> run.progress().matches("prepare for \\d+ s"));
            release.countDown();
            assertThat(Patience.get("the end of the preparation", preparing)).isNotNull();
            assertThat(run.progress()).isEmpty();
        }
    }

    @Test
    void aStepThatDoesNotEndIsNamedWithItsLimit() throws Exception {
        int limitMs = 50;
        FakeSystem stuck;
        Throwable thrown;
        do {
            // A busy machine may not get to the step in a short time.
            limitMs *= 2;
            stuck = new FakeSystem();
            stuck.on(Call.CREATE_PRODUCERS, new CountDownLatch(1)::await);
            WorkerServer server = served.server(
                    TestDrivers.worker(stuck, new EpochClock()),
                    null,
                    ServerCaps.defaults().with(ServerCap.ANSWER_MS, 20));
            WorkerTimeouts timeouts = WorkerTimeouts.defaults().with(WorkerTimeout.PREPARE, Duration.ofMillis(limitMs));
            try (Workers workers = claim(timeouts, server.url())) {
                RemoteWorker remote = new RemoteWorker(Served.run(workers.all().get(0)));
                thrown = catchThrowable(() -> remote.prepare(TestDrivers.prepare()));
                remote.close();
            }
        } while (!String.valueOf(thrown.getMessage()).contains("prepare for ") && limitMs < Patience.LIMIT.toMillis());
        assertThat(thrown)
                .hasMessageContaining(
                        "prepare did not end within " + limitMs + " ms (--worker-limit prepare): prepare for ");
        assertThat(stuck.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void theClockIsReadByHttpAndTheWorkerIsDescribed() throws Exception {
        WorkerServer server = serve();
        ClaimedWorker worker = served.claim(null, server.url()).all().get(0);
        assertThat(worker.roundTripNs())
                .as("known before the first sign of life")
                .isPositive();
        ClockReading first = worker.readClock();
        ClockReading second = worker.readClock();
        assertThat(List.of(first.receivedNs(), first.answeredNs(), second.receivedNs(), second.answeredNs()))
                .isSorted();
        assertThat(worker.info().processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(worker.info().build()).isEqualTo(Served.BUILD);
        assertThat(worker.probeAddress()).isEqualTo(server.address());
        assertThat(worker.probeKey()).hasSize(32);
        assertThat(worker.isSuspect()).isFalse();
    }
}
