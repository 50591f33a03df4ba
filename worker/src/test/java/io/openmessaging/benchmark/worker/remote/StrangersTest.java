package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.server.ServerCap;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.TestAuthority;
import io.openmessaging.benchmark.worker.transport.TestKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients other than the coordinator are refused by a worker, and its run continues. */
@ExtendWith(ServedResolver.class)
@Order(1)
class StrangersTest {

    private static final int FEW = 16;

    private final Served served;
    private final List<Socket> sockets = new ArrayList<>();
    private @Nullable WorkerServer server;
    private @Nullable Coordinated coordinated;

    /** A coordinator's worker and run. */
    private record Coordinated(ClaimedWorker worker, Exchange run) {}

    StrangersTest(Served served) {
        this.served = served;
    }

    @AfterEach
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private WorkerServer serve(@Nullable KeyFile key, ServerCaps timeouts) {
        WorkerServer made = served.server(TestDrivers.worker(new FakeSystem(), new EpochClock()), key, timeouts);
        server = made;
        return made;
    }

    /** Starts a server whose worker is claimed by a coordinator. */
    private WorkerServer claimed(ServerCaps timeouts) {
        WorkerServer made = serve(null, timeouts);
        ClaimedWorker worker = served.claim(null, made.url()).all().get(0);
        coordinated = new Coordinated(worker, Served.run(worker));
        return made;
    }

    private Coordinated coordinated() {
        assertThat(coordinated).isNotNull();
        return coordinated;
    }

    private void assertRunGoesOn() throws Exception {
        Coordinated ours = coordinated();
        assertThat(ours.run.exchange(Exchange.Request.STOP, "{\"searchEnds\":false}".getBytes(StandardCharsets.UTF_8)))
                .satisfies(answer -> assertThat(answer.refused()).isFalse());
        assertThat(ours.worker.lost()).isEmpty();
    }

    private Socket connect() throws IOException {
        assertThat(server).isNotNull();
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        sockets.add(socket);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Returns the answer up to the end of the connection. */
    private static String rest(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return "reset";
        }
    }

    private static void assertRefused(@Nullable KeyFile key, String url, String why) {
        assertThatThrownBy(() ->
                        Workers.claim(List.of(url), Served.coordinator(key)).close())
                .isInstanceOf(WorkerException.class)
                .hasMessageStartingWith("worker 1 (" + url + "): ")
                .hasMessageContaining(why);
    }

    @Test
    void whoHasNoKeyIsRefused() {
        String url = serve(TestKeys.ours(), ServerCaps.defaults()).url();
        assertRefused(null, url, "https requires the worker's key file: pass it with --key");
        assertRefused(null, url.replace("https", "http"), "use https:// and --key");
    }

    @Test
    void whoHasAnotherKeyIsRefused() {
        String url = serve(TestKeys.ours(), ServerCaps.defaults()).url();
        assertRefused(TestKeys.others(), url, "copy one key file to all machines");
    }

    @Test
    void aCoordinatorWithoutCheckOfItsOwnIsRefusedByTheWorkerAllTheSame() {
        String url = serve(TestKeys.ours(), ServerCaps.defaults()).url();
        assertRefused(TestKeys.credulous(), url, "it does not accept this side's key");
        assertRefused(TestKeys.anonymous(), url, "it does not accept this side's key");
    }

    @Test
    @StartsProcesses
    void withAUsersOwnAuthorityItsCertificatesAreTakenForTheirNamesAndNoOthers(@TempDir Path folder) throws Exception {
        KeyFile signed = KeyFile.read(new TestAuthority(folder).keyFor("ip:127.0.0.1"));
        String url = serve(signed, ServerCaps.defaults()).url();
        Workers.claim(List.of(url), Served.coordinator(signed)).close();
        assertRefused(
                signed, url.replace("127.0.0.1", "localhost"), "its certificate is not accepted: No name matching");
        assertRefused(TestKeys.credulous(), url, "it does not accept this side's key");
        assertRefused(TestKeys.ours(), url, "its certificate is not accepted: it has a different key");
    }

    @Test
    void aWorkerThatSpeaksHttpIsToldFromOneWithAnotherKey() {
        String url = serve(null, ServerCaps.defaults()).url();
        assertRefused(TestKeys.ours(), url.replace("http", "https"), "does not speak https; use http://");
    }

    @Test
    void whereNothingListensTheCommandIsNamed() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertRefused(
                null, "http://127.0.0.1:" + free, "nothing listens there; start 'bin/benchmark-worker --port " + free);
        assertRefused(
                TestKeys.ours(),
                "https://127.0.0.1:" + free,
                "nothing listens there; start 'bin/benchmark workers start --ssh 127.0.0.1' here, or"
                        + " 'bin/benchmark-worker --host 0.0.0.0 --port " + free + " --key FILE' on it");
    }

    @Test
    void aConnectionThatTakesTooLongNeedNotBeAFirewalls() throws Exception {
        assertThat(FailureText.describe(
                        WorkerUrl.parse(1, "https://w1:8080"),
                        WorkerTimeouts.defaults(),
                        new HttpConnectTimeoutException("late")))
                .isEqualTo("no connection within 5 s (--worker-limit connect): the machine is down or too busy, or a"
                        + " firewall blocks port 8080");
    }

    @Test
    void whatIsNoWorkerIsSaidToBeNone() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        other.start();
        try {
            assertRefused(
                    null,
                    "http://127.0.0.1:" + other.getAddress().getPort(),
                    "the server there is not a worker of this project (it answers 404)");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aBodyWithoutEndIsRefusedBeforeItIsRead() throws Exception {
        claimed(ServerCaps.defaults());
        Socket declared = connect();
        write(declared, "POST /claim HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n");
        assertThat(rest(declared)).startsWith("HTTP/1.1 413 ").contains("at most 16384 bytes");

        Socket streamed = connect();
        write(streamed, "POST /claim HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        long sent = stream(streamed);
        assertThat(sent).as("bytes of a gigabyte that could be sent").isLessThan(64L << 20);
        assertRunGoesOn();
    }

    /** Sends a gigabyte, or as much as the other side accepts. */
    private static long stream(Socket socket) {
        byte[] chunk = new byte[1 << 16];
        long sent = 0;
        try {
            OutputStream out = socket.getOutputStream();
            while (sent < 1L << 30) {
                out.write((Integer.toHexString(chunk.length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                out.write(chunk);
                out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
                sent += chunk.length;
            }
        } catch (IOException e) {
            return sent;
        }
        return sent;
    }

    /** There is no coordinator, since on a slow machine it would be cut off as well. */
    @Test
    void whoSendsAByteNowAndThenIsCutOff() throws Exception {
        serve(null, ServerCaps.defaults().with(ServerCap.REQUEST_MS, 500));
        Socket headers = connect();
        Socket body = connect();
        Socket nothing = connect();
        write(headers, "GET / HTTP/1.1\r\n");
        write(body, "POST /claim HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");
        Thread dripping = new Thread(() -> drip(headers, body), "dripping");
        dripping.start();

        rest(headers);
        rest(body);
        assertThat(rest(nothing)).isIn("", "reset");
        // The server accepts no more bytes.
        Patience.join(dripping);
    }

    @Test
    void whoDoesNotEvenBeginTlsIsCutOff() throws Exception {
        serve(TestKeys.ours(), ServerCaps.defaults().with(ServerCap.REQUEST_MS, 500));
        assertThat(rest(connect())).isIn("", "reset");
    }

    /** Sends bytes until no socket accepts any more. */
    private static void drip(Socket... sockets) {
        int taken = sockets.length;
        while (taken > 0) {
            taken = 0;
            for (Socket socket : sockets) {
                try {
                    write(socket, "a");
                    taken++;
                } catch (IOException e) {
                    continue;
                }
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Test
    void aThousandConnectionsDoNotKeepTheCoordinatorOut() throws Exception {
        claimed(ServerCaps.defaults().with(ServerCap.CONNECTIONS, FEW));
        for (int i = 0; i < 1000; i++) {
            connect();
        }
        // Reading the clock opens a new connection instead of using the open one.
        assertThat(coordinated().worker.readClock().answeredNs()).isPositive();
        assertRunGoesOn();
        Patience.until(
                "most are cut off",
                () -> sockets.stream().filter(StrangersTest::isOpen).count() <= FEW);
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void bodiesOfNoiseAreRefused() throws Exception {
        WorkerServer target = claimed(ServerCaps.defaults());
        Random random = new Random(11);
        WorkerCalls calls = new WorkerCalls("test", null, WorkerTimeouts.defaults());
        WorkerUrl url = WorkerUrl.parse(1, target.url());
        byte[] valid =
                "{\"build\":{\"version\":\"1.0\",\"folders\":{\"lib\":\"abc\"}},\"coordinator\":\"x\",\"session\":\"y\"}"
                        .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 300; i++) {
            byte[] body = i % 2 == 0 ? new byte[random.nextInt(200)] : valid.clone();
            if (i % 2 == 0) {
                random.nextBytes(body);
            } else {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            int status = calls.post(url, Paths.CLAIM, null, body).status();
            assertThat(status).isIn(Paths.UNREADABLE, Paths.CONFLICT);
        }
        assertRunGoesOn();
    }

    @Test
    void stepsOfNoiseAreRefused() throws Exception {
        claimed(ServerCaps.defaults());
        Random random = new Random(13);
        for (Exchange.Request request : Exchange.Request.values()) {
            for (int i = 0; i < 20; i++) {
                byte[] body = new byte[1 + random.nextInt(100)];
                random.nextBytes(body);
                body[0] = '!';
                Exchange.WireReply answer = coordinated().run.exchange(request, body);
                if (request != Exchange.Request.CLOSE) {
                    assertThat(answer.refused()).as(request.name()).isTrue();
                }
            }
        }
        assertRunGoesOn();
    }

    @Test
    void pagesOfBrowsersAndOtherNamesAreRefused() throws Exception {
        serve(null, ServerCaps.defaults());
        Socket page = connect();
        write(
                page,
                "POST /claim HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\nConnection: close\r\n"
                        + "Content-Length: 2\r\n\r\n{}");
        assertThat(rest(page)).startsWith("HTTP/1.1 403 ");
        Socket rebound = connect();
        write(rebound, "GET / HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n");
        assertThat(rest(rebound)).startsWith("HTTP/1.1 403 ");
        Socket person = connect();
        write(person, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(rest(person))
                .startsWith("HTTP/1.1 200 ")
                .contains("benchmark worker 1.0")
                .contains("\nfree");
    }

    @Test
    void whatIsNoRequestIsToldNothing() throws Exception {
        serve(null, ServerCaps.defaults());
        for (String noise : List.of("\0\0\0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET " + "a".repeat(20_000))) {
            Socket socket = connect();
            write(socket, noise);
            assertThat(rest(socket))
                    .doesNotContain("at org.")
                    .doesNotContain("Exception")
                    .doesNotContain("etty");
        }
    }
}
