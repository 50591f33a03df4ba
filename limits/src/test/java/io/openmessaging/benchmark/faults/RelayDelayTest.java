package io.openmessaging.benchmark.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.faults.Relay.Further;
import io.openmessaging.benchmark.faults.Relay.Route;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests with real connections on loopback and a clock that only the test advances. */
class RelayDelayTest {

    private static final long HALF_NS = 3_600_000_000_000L;

    private final AtomicLong nowNs = new AtomicLong(1);
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Relay relay;
    private ServerSocket node;
    private Socket aside;
    private Socket atOther;

    @BeforeEach
    void begin() throws IOException {
        relay = Relay.begin(nowNs::get);
        opened.push(relay);
        node = listening();
        ServerSocket other = listening();
        aside = connect(relay.listen(new Route("", other.getLocalPort())));
        atOther = accept(other);
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private ServerSocket listening() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName(Relay.HERE));
        server.setSoTimeout((int) Patience.LIMIT.toMillis());
        opened.push(server);
        return server;
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket(Relay.HERE, port);
        opened.push(socket);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    private Socket accept(ServerSocket server) throws IOException {
        Socket socket = server.accept();
        opened.push(socket);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    /** Connects to the node; returns once the relay has accepted the connection, so that its delay counts from now. */
    private Socket connectToNode(String origin) throws IOException {
        int before = relay.accepted();
        Socket client = connect(relay.listen(new Route(origin, node.getLocalPort())));
        Patience.until("the relay to accept", () -> relay.accepted() > before);
        return client;
    }

    private void delay(String... nodes) {
        Set<Integer> ports = Set.of(node.getLocalPort());
        List<Further> further = new ArrayList<>();
        for (String name : nodes) {
            further.add(new Further(name, name.equals("node") ? ports : Set.of(aside.getPort()), HALF_NS));
        }
        relay.setFurther(further);
    }

    /** Waits for bytes on a path without a delay: by the time they arrive, the relay has done all earlier work. */
    private void awaitRelay() throws IOException {
        for (int turn = 0; turn < 2; turn++) {
            aside.getOutputStream().write(1);
            assertThat(atOther.getInputStream().read()).isEqualTo(1);
        }
    }

    private static void write(Socket socket) throws IOException {
        socket.getOutputStream().write(7);
    }

    /** Asserts that a byte in transit arrives after exactly this many halves of the delay. */
    private void assertArrivesAfter(int halves, Socket at) throws IOException {
        awaitRelay();
        for (int passed = 0; passed < halves; passed++) {
            nowNs.addAndGet(HALF_NS - 1);
            awaitRelay();
            assertThat(at.getInputStream().available())
                    .as("after almost %d halves", passed + 1)
                    .isZero();
            nowNs.addAndGet(1);
        }
        awaitRelay();
        assertThat(at.getInputStream().read()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"'', node, 1", "peer, node, 1", "node, node, 0", "peer, peer, 1", "peer, 'peer,node', 2", "'', peer, 0"
    })
    void whatIsDelayedIsTheWayToAndFromTheNodeButNotToItself(String origin, String delayed, int halves)
            throws IOException {
        Socket client = connectToNode(origin);
        Socket atNode = accept(node);
        write(client);
        assertArrivesAfter(0, atNode);
        delay(delayed.split(","));
        write(client);
        assertArrivesAfter(halves, atNode);
        write(atNode);
        assertArrivesAfter(halves, client);
        relay.setFurther(List.of());
        write(client);
        assertArrivesAfter(0, atNode);
        write(atNode);
        assertArrivesAfter(0, client);
    }

    @Test
    void aNewConnectionTakesARoundTripMore() throws IOException {
        delay("node");
        Socket client = connectToNode("");
        write(client);
        awaitRelay();
        nowNs.addAndGet(2 * HALF_NS);
        awaitRelay();
        Socket atNode = accept(node);
        assertArrivesAfter(1, atNode);
        write(atNode);
        assertArrivesAfter(1, client);
        write(client);
        assertArrivesAfter(1, atNode);
    }

    @Test
    void aProbeIsGivenBackAfterTheWholeWay() throws IOException {
        delay("node");
        int relayed = relay.listen(new Route("", node.getLocalPort()));
        node.close();
        Socket probe = new Socket();
        opened.push(probe);
        probe.setSoTimeout((int) Patience.LIMIT.toMillis());
        probe.bind(new InetSocketAddress(Relay.HERE, 0));
        relay.echo(probe.getLocalPort());
        probe.connect(new InetSocketAddress(Relay.HERE, relayed));
        write(probe);
        assertArrivesAfter(2, probe);
    }
}
