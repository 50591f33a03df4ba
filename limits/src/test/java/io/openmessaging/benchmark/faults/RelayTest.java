package io.openmessaging.benchmark.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.faults.Relay.Further;
import io.openmessaging.benchmark.faults.Relay.Route;
import io.openmessaging.benchmark.suite.Patience;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with a node on loopback that echoes its input. */
class RelayTest {

    private static final Duration DELAY = Duration.ofMillis(50);

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
            // Some tests break the connection.
        }
    }

    private Socket connect(String origin) throws IOException {
        Socket socket = new Socket(Relay.HERE, relay.listen(new Route(origin, node.getLocalPort())));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    private void delay(String... nodes) {
        Set<Integer> ports = Set.of(node.getLocalPort());
        relay.setFurther(Arrays.stream(nodes)
                .map(name -> new Further(name, name.equals("node") ? ports : Set.of(), DELAY.toNanos() / 2))
                .toList());
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
            Patience.get("the end of the sending", sending);
        }
        assertThat(Arrays.equals(sent, received)).isTrue();
    }

    @Test
    void whoSendsMoreThanTheReceiverTakesIsLeftWaiting() throws Exception {
        long most = 256L << 20;
        try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getByName(Relay.HERE));
                SocketChannel sender = SocketChannel.open(
                        new InetSocketAddress(Relay.HERE, relay.listen(new Route("", deaf.getLocalPort()))));
                Socket aside = connect("")) {
            sender.configureBlocking(false);
            ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
            long sent = 0;
            for (int turnsInVain = 0; turnsInVain < 50 && sent < most; turnsInVain++) {
                int taken = sender.write(bytes.clear());
                if (taken > 0) {
                    sent += taken;
                    turnsInVain = 0;
                }
                // A round trip ensures that the relay has had a turn.
                assertRoundTrip(aside);
            }
            assertThat(sent).isPositive().isNotEqualTo(most);
        }
    }

    private static void assertRoundTrip(Socket socket) throws IOException {
        socket.getOutputStream().write(7);
        assertThat(socket.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void aNodeThatIsNotThereBreaksTheConnection() throws IOException {
        // The port is taken, so no other process gets it, but nothing listens there.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(Relay.HERE, 0));
            try (Socket socket = new Socket(Relay.HERE, relay.listen(new Route("", taken.getLocalPort())))) {
                assertThatThrownBy(() -> {
                            socket.getOutputStream().write(1);
                            if (socket.getInputStream().read() < 0) {
                                throw new SocketException("ended");
                            }
                        })
                        .isInstanceOf(SocketException.class);
            }
        }
    }
}
