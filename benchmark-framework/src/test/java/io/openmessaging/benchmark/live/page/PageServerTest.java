package io.openmessaging.benchmark.live.page;

import static io.openmessaging.benchmark.live.LiveFixture.request;
import static io.openmessaging.benchmark.live.LiveFixture.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.page.PageHandler.PageFile;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.suite.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server as browsers and strangers see it: tests use plain sockets, to control headers and pace. */
class PageServerTest {

    private static final int LIMIT_MS = (int) Patience.LIMIT.toMillis();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final LiveRuns runs = new LiveRuns(System::currentTimeMillis);

    @SuppressWarnings("NullAway.Init") // set before each test
    private PageServer server;

    private final List<Socket> opened = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server = PageServer.onLoopback(runs, 0);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : opened) {
            socket.close();
        }
        server.close();
    }

    /** Sends a request and returns its socket. */
    private Socket send(PageServer to, String method, String path, String... headers) throws IOException {
        Socket socket = new Socket();
        opened.add(socket);
        // The buffer is small, so that a slow reader soon falls behind.
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress("127.0.0.1", to.port()), LIMIT_MS);
        socket.setSoTimeout(LIMIT_MS);
        String host = headers.length > 0 ? "" : "Host: 127.0.0.1\r\n";
        String request = method + " " + path + " HTTP/1.1\r\n" + host
                + String.join(
                        "",
                        Arrays.stream(headers).map(header -> header + "\r\n").toList()) + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Reads the first line and the headers. */
    private static List<String> head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + text);
            }
            text.append((char) next);
        }
        return text.toString().lines().toList();
    }

    private String status(PageServer of, String method, String path, String... headers) throws IOException {
        return head(send(of, method, path, headers)).get(0).substring("HTTP/1.1 ".length());
    }

    /** A reader that follows the events. */
    private final class Following {

        private final BufferedReader in;

        Following() throws IOException {
            Socket socket = send(server, "GET", "/events");
            assertThat(head(socket)).contains("HTTP/1.1 200 OK", "Content-Type: text/event-stream");
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        /** The data of the next event. */
        JsonNode next() throws IOException {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("data: ")) {
                    return JsonMapper.shared().readTree(line.substring("data: ".length()));
                }
            }
            throw new IOException("the stream ended");
        }

        /** The next event that has something at this place; changes that follow each other soon are one event. */
        JsonNode next(String place) throws IOException {
            JsonNode event = next();
            while (event.at(place).isMissingNode()) {
                event = next();
            }
            return event.at(place);
        }

        boolean ends() throws IOException {
            try {
                while (in.readLine() != null) {
                    // Skips what is still to come.
                }
            } catch (SocketException e) {
                // The server has reset the connection.
            }
            return true;
        }
    }

    private static RunState counted(long messages) {
        return new RunState(
                RunPhase.MEASURE,
                Optional.empty(),
                1000,
                new Totals(messages, messages, 0, List.of(messages, messages), 0),
                null,
                Map.of(),
                List.of());
    }

    @Test
    void aLateReaderSeesAllThatWasBeforeAndThenWhatComes() throws Exception {
        runs.agenda(new Agenda("", List.of(new Agenda.Item("load on fake", Duration.ofMinutes(1), null))));
        runs.preparing(1, "getting a broker ready");
        RunListener run = runs.begin(request(folder));
        run.state(counted(1_000));

        Following reader = new Following();
        JsonNode known = reader.next();
        assertThat(known.at("/since").asLong()).isZero();
        assertThat(known.at("/progress/current/title").asString()).isEqualTo("load on fake");
        assertThat(known.at("/run/now/phase").asString()).isEqualTo("measure");
        run.searchStep(new RunResult.SearchStep(
                10, 9, 0, new RunResult.Breach("pace", "the confirmations fell behind the schedule"), false));
        assertThat(reader.next("/run/steps/points/0").path("achievedMsgPerSec").asDouble())
                .isEqualTo(9);
        runs.ended(result(request(folder), Verdict.INVALID));
        assertThat(reader.next("/rows/0").path("outcome").asString()).isEqualTo("INVALID");
    }

    @Test
    void whenTheServerIsClosedReadersKnowThatItIsOver() throws Exception {
        Following reader = new Following();
        reader.next();
        int port = server.port();
        server.close();
        assertThat(reader.next().at("/progress/over").asBoolean()).isTrue();
        assertThat(reader.ends()).isTrue();
        assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(ConnectException.class);
    }

    @Test
    void aReaderThatLeavesIsForgotten() throws Exception {
        Following stays = new Following();
        stays.next();
        Socket leaves = send(server, "GET", "/events");
        head(leaves);
        Patience.until("both are there", () -> server.readers() == 2);
        leaves.setSoLinger(true, 0);
        leaves.close();

        RunListener run = runs.begin(request(folder));
        Patience.until("only the other one is left", () -> {
            run.searchStep(new RunResult.SearchStep(1, 1, 0, null, false));
            return server.readers() == 1;
        });
        assertThat(stays.next("/run/steps/points/0").isObject()).isTrue();
    }

    @Test
    void aReaderThatTakesNothingHoldsNobodyUpAndLearnsOnlyTheLatest() throws Exception {
        Following other = new Following();
        other.next();
        Following stalled = new Following();
        Patience.until("both are there", () -> server.readers() == 2);
        String why = "x".repeat(500);
        int changes = 50_000;
        for (int i = 1; i <= changes; i++) {
            runs.finished(1, "FAILED " + i, why);
        }
        // A server that waited for the stalled reader would never send this to the other one.
        String last = "FAILED " + changes;
        while (!other.next("/rows/0").path("outcome").asString().equals(last)) {
            // Reads on.
        }
        int told = 1;
        while (!stalled.next("/rows/0").path("outcome").asString().equals(last)) {
            told++;
        }
        assertThat(told).as("events to the stalled reader").isLessThan(changes / 2);
    }

    @Test
    void moreReadersThanThereIsRoomForAreSentAway() throws Exception {
        for (int i = 0; i < 32; i++) {
            head(send(server, "GET", "/events"));
        }
        assertThat(status(server, "GET", "/events")).startsWith("503");
        assertThat(status(server, "GET", "/")).startsWith("200");
        opened.get(0).setSoLinger(true, 0);
        opened.get(0).close();
        Patience.until("there is room again", () -> {
            runs.preparing(1, "waiting");
            return server.readers() < 32;
        });
        assertThat(status(server, "GET", "/events")).startsWith("200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:1", "127.0.0.2"})
    void namesOfThisMachineAreAnswered(String host) throws Exception {
        assertThat(status(server, "GET", "/", "Host: " + host)).startsWith("200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example", "10.0.0.1"})
    void aNameThatLeadsHereIsNot(String host) throws Exception {
        assertThat(status(server, "GET", "/", "Host: " + host)).startsWith("403");
        assertThat(status(server, "GET", "/events", "Host: " + host)).startsWith("403");
    }

    @Test
    void withATokenOnlyThosePathsWithItAreAnswered() throws Exception {
        try (PageServer guarded = PageServer.withToken(runs, InetAddress.getLoopbackAddress(), 0)) {
            String path = guarded.path();
            assertThat(path).matches("/[0-9a-f]{32}/");
            assertThat(status(guarded, "GET", path, "Host: machine.example")).startsWith("200");
            assertThat(status(guarded, "GET", path + "events", "Host: machine.example"))
                    .startsWith("200");
            assertThat(head(send(guarded, "GET", path.substring(0, path.length() - 1))))
                    .anyMatch(line -> line.startsWith("HTTP/1.1 302"))
                    .anyMatch(line -> line.startsWith("Location:") && line.endsWith(path));
            String other = path.substring(0, path.length() - 2) + (path.charAt(path.length() - 2) == '0' ? "1/" : "0/");
            for (String wrong :
                    List.of("/", "/events", other, other + "events", path.substring(0, 20), "/%00/", "/x" + path)) {
                assertThat(status(guarded, "GET", wrong)).as(wrong).startsWith("4");
            }
            try (PageServer another = PageServer.withToken(runs, InetAddress.getLoopbackAddress(), 0)) {
                assertThat(another.path()).isNotEqualTo(path);
            }
        }
    }

    @Test
    void thePageMayRunItsOwnScriptAndNothingElse() throws Exception {
        List<String> head = head(send(server, "GET", "/"));
        assertThat(head)
                .contains(
                        "Content-Type: text/html; charset=utf-8",
                        "X-Content-Type-Options: nosniff",
                        "Cache-Control: no-store")
                .anyMatch(
                        line -> line.matches(
                                "Content-Security-Policy: default-src 'none'; "
                                        + "script-src 'sha256-[A-Za-z0-9+/=]{44}'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; connect-src 'self'; .*"))
                .noneMatch(line -> line.contains("unsafe"));
        String html = new String(PageFile.read().html(), StandardCharsets.UTF_8);
        assertThat(html)
                .doesNotContain(
                        "innerHTML", "insertAdjacentHTML", "eval(", "https:", "src=\"", " style=\"", " onclick");
        assertThat(html.split("<script>", -1)).hasSize(2);
        assertThat(html.split("<style>", -1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x", "/events/", "/../page.html", "/page.html", "//", "/favicon.ico"})
    void thereIsNothingElse(String path) throws Exception {
        assertThat(status(server, "GET", path)).startsWith("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void itCanOnlyBeRead(String method) throws Exception {
        assertThat(status(server, method, "/")).startsWith("405");
    }

    @Test
    void whatIsNoRequestIsAnsweredWithALineOfOurs() throws Exception {
        Socket socket = send(server, "GET", "/", "Host: 127.0.0.1", "Bad Header <b>");
        assertThat(head(socket).get(0)).startsWith("HTTP/1.1 400");
    }

    @Test
    void aPortInUseIsToldBeforeAnythingElse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> PageServer.onLoopback(runs, taken.getLocalPort()))
                    .isInstanceOf(IOException.class);
        }
    }
}
