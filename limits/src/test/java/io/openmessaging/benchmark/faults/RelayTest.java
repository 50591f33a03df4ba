package io.openmessaging.benchmark.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.faults.Relay.Further;
import io.openmessaging.benchmark.faults.Relay.Route;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a node that says back what it is told, on loopback. */
@Timeout(30)
class RelayTest {

    private static final Duration DELAY = Duration.ofMillis(150);

    private Relay relay;
    private ServerSocket node;

    @BeforeEach
    void begin() throws IOException {
        relay = Relay.begin();
        node = new ServerSocket(0, 50, InetAddress.getByName(Relay.HERE));
        Thread accepting = new Thread(this::serve, "test-node");
        accepting.setDaemon(true);
        accepting.start();
    }

    @AfterEach
    void end() throws IOException {
        relay.close();
        node.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket client = node.accept();
                Thread serving = new Thread(() -> sayBack(client), "test-node-connection");
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void sayBack(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // Broken off, as some tests do.
        }
    }

    private Socket connect(String origin) throws IOException {
        Socket socket = new Socket(Relay.HERE, relay.listen(new Route(origin, node.getLocalPort())));
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static Duration roundTrip(Socket socket) throws IOException {
        long beginNs = System.nanoTime();
        socket.getOutputStream().write(7);
        assertThat(socket.getInputStream().read()).isEqualTo(7);
        return Duration.ofNanos(System.nanoTime() - beginNs);
    }

    private void delay(String... nodes) {
        Set<Integer> ports = Set.of(node.getLocalPort());
        relay.setFurther(Arrays.stream(nodes)
                .map(name -> new Further(name, name.equals("node") ? ports : Set.of(), DELAY.toNanos() / 2))
                .toList());
    }

    @Test
    void aRoundTripTakesTheDelayLongerWhileThereIsOne() throws IOException {
        try (Socket socket = connect("")) {
            roundTrip(socket);
            assertThat(roundTrip(socket)).isLessThan(DELAY);
            delay("node");
            assertThat(roundTrip(socket)).isBetween(DELAY, DELAY.multipliedBy(4));
            assertThat(roundTrip(socket)).isBetween(DELAY, DELAY.multipliedBy(4));
            relay.setFurther(List.of());
            assertThat(roundTrip(socket)).isLessThan(DELAY);
        }
    }

    @Test
    void aNewConnectionTakesARoundTripMore() throws IOException {
        delay("node");
        try (Socket socket = connect("")) {
            assertThat(roundTrip(socket)).isBetween(DELAY.multipliedBy(2), DELAY.multipliedBy(6));
            assertThat(roundTrip(socket)).isLessThan(DELAY.multipliedBy(2));
        }
    }

    @ParameterizedTest
    @CsvSource({"'', node, 1", "peer, node, 1", "node, node, 0", "peer, peer, 1", "peer, 'peer,node', 2", "'', peer, 0"
    })
    void whatIsDelayedIsTheWayToAndFromTheNodeButNotToItself(String origin, String delayed, int times)
            throws IOException {
        try (Socket socket = connect(origin)) {
            roundTrip(socket);
            delay(delayed.split(","));
            Duration took = roundTrip(socket);
            assertThat(took).isGreaterThanOrEqualTo(DELAY.multipliedBy(times));
            assertThat(took).isLessThan(DELAY.multipliedBy(times + 1));
        }
    }

    @Test
    void manyBytesArriveWholeAndInOrderThroughADelayThatComesAndGoes() throws Exception {
        byte[] sent = new byte[24 << 20];
        new Random(1).nextBytes(sent);
        byte[] received = new byte[sent.length];
        try (Socket socket = connect("")) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    OutputStream out = socket.getOutputStream();
                    for (int from = 0; from < sent.length; from += sent.length / 4) {
                        out.write(sent, from, sent.length / 4);
                        delay(from % (sent.length / 2) == 0 ? "node" : "nobody");
                    }
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            InputStream in = new DataInputStream(socket.getInputStream());
            ((DataInputStream) in).readFully(received);
            assertThat(in.read()).as("the end is passed on as well").isEqualTo(-1);
            sending.get(10, TimeUnit.SECONDS);
        }
        assertThat(Arrays.equals(sent, received)).isTrue();
    }

    @Test
    void whoSendsMoreThanTheReceiverTakesIsLeftWaiting() throws Exception {
        ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getByName(Relay.HERE));
        try (deaf;
                Socket socket = new Socket(Relay.HERE, relay.listen(new Route("", deaf.getLocalPort())))) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream().write(new byte[256 << 20]);
                } catch (IOException e) {
                    // Ends with the test.
                }
            });
            assertThatThrownBy(() -> sending.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void aNodeThatIsNotThereBreaksTheConnection() throws IOException {
        int port = node.getLocalPort();
        node.close();
        try (Socket socket = new Socket(Relay.HERE, relay.listen(new Route("", port)))) {
            assertThatThrownBy(() -> {
                        socket.getOutputStream().write(1);
                        if (socket.getInputStream().read() < 0) {
                            throw new SocketException("ended");
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aProbeIsGivenBackAfterTheWholeWay() throws IOException {
        delay("node");
        int relayed = relay.listen(new Route("", node.getLocalPort()));
        node.close();
        try (Socket probe = new Socket()) {
            probe.bind(new InetSocketAddress(Relay.HERE, 0));
            relay.echo(probe.getLocalPort());
            probe.connect(new InetSocketAddress(Relay.HERE, relayed));
            assertThat(roundTrip(probe)).isBetween(DELAY, DELAY.multipliedBy(4));
        }
    }
}
