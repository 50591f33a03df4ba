package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Alone in its JVM: a process that another test starts has, until its program begins, all sockets that this JVM had open,
 * and a port that was released is taken for as long.
 */
@Isolated("binds to ports that it has just released")
class LocalPortsTest {

    /** They are not kept: another program of the machine may take a few of them before this test does, but not many. */
    @Test
    void portsAreDifferentAndCanBeListenedOn() throws Exception {
        List<Integer> ports = LocalPorts.free(ListenAddress.LOOPBACK, 50, 0);

        assertThat(ports).hasSize(50).doesNotHaveDuplicates();
        assertThat(ports.stream().filter(LocalPortsTest::canBeListenedOn)).hasSizeGreaterThan(40);
    }

    /** Whoever got one may not listen on it yet. */
    @Test
    void portsAreNotGivenAwayAgainSoon() throws Exception {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ports.addAll(LocalPorts.free(ListenAddress.LOOPBACK, 200, 0));
        }
        assertThat(ports).doesNotHaveDuplicates();
    }

    @Test
    void takesTheFirstPortThatIsAskedFor() throws Exception {
        int wanted = LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0);

        assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 3, wanted))
                .hasSize(3)
                .startsWith(wanted)
                .doesNotHaveDuplicates();
    }

    @Test
    void saysThatTheFirstPortIsTaken() throws Exception {
        try (ServerSocket taken = listen(0)) {
            assertThatThrownBy(() -> LocalPorts.free(ListenAddress.LOOPBACK, 2, taken.getLocalPort()))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessage("cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": Address already in use; stop the program that uses the port, or choose another port");
        }
    }

    @Test
    void withAFirstPortOthersTakeTheirUsualOnes() throws Exception {
        List<Integer> usual = LocalPorts.free(ListenAddress.LOOPBACK, 2, 0);

        assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 3, usual.get(0), Map.of(1, usual.get(1))))
                .hasSize(3)
                .startsWith(usual.get(0), usual.get(1))
                .doesNotHaveDuplicates();
        assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 3, 0, Map.of(1, usual.get(1))))
                .doesNotContain(usual.get(1));
    }

    @Test
    void aUsualPortThatIsTakenIsReplaced() throws Exception {
        int first = LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0);

        assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 2, first, Map.of(1, first)))
                .doesNotHaveDuplicates();
        try (ServerSocket taken = listen(0)) {
            assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 2, first, Map.of(1, taken.getLocalPort())))
                    .hasSize(2)
                    .doesNotContain(taken.getLocalPort());
        }
    }

    /** A port that was given back may go to any other program of the machine at once, but hardly several times running. */
    @Test
    void tellsWhetherAPortIsFree() throws Exception {
        boolean free = false;
        for (int i = 0; i < 5 && !free; i++) {
            int port;
            try (ServerSocket taken = listen(0)) {
                port = taken.getLocalPort();
                assertThat(LocalPorts.isFree(ListenAddress.LOOPBACK, port)).isFalse();
                assertThat(LocalPorts.listens(ListenAddress.LOOPBACK.withPort(port)))
                        .isTrue();
            }
            free = LocalPorts.isFree(ListenAddress.LOOPBACK, port)
                    && !LocalPorts.listens(ListenAddress.LOOPBACK.withPort(port));
        }
        assertThat(free).isTrue();
    }

    /** Of other machines' clients only what they need listens there. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void onAnotherAddressPortsAreFreeOnLoopbackToo() throws Exception {
        ListenAddress other = new ListenAddress("127.0.0.2");
        try (ServerSocket taken = listen(0)) {
            int port = taken.getLocalPort();

            // The first one is for clients, who come to the other address.
            assertThat(LocalPorts.free(other, 1, port)).containsExactly(port);
            assertThat(LocalPorts.free(other, 2, LocalPorts.free(other, 1, 0).get(0), Map.of(1, port)))
                    .hasSize(2)
                    .doesNotContain(port);
            assertThat(LocalPorts.isFree(other, port)).isTrue();
            assertThat(LocalPorts.listens(other.withPort(port))).isFalse();
        }
    }

    private static boolean canBeListenedOn(int port) {
        try (ServerSocket socket = listen(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getByName(ListenAddress.LOOPBACK.host()));
    }
}
