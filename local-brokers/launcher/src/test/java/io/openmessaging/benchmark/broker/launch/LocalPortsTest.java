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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests that run alone in their JVM: a process that another test starts holds all sockets that this JVM had open until
 * its own program starts, and a released port is taken for as long.
 */
@Isolated("binds to ports that it has just released")
class LocalPortsTest {

    private static final int CANDIDATES = 10;

    private static final ListenAddress OTHER = new ListenAddress("127.0.0.2");

    /**
     * The ports are not reserved: another program on the machine may take some of them before this test does, but not
     * all.
     */
    @Test
    void portsAreDifferentAndCanBeListenedOn() throws Exception {
        List<Integer> ports = LocalPorts.free(ListenAddress.LOOPBACK, 50, 0);

        assertThat(ports).hasSize(50).doesNotHaveDuplicates();
        assertThat(ports).anyMatch(LocalPortsTest::canBeListenedOn);
    }

    /** The caller that received a port may not listen on it yet. */
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
        assertThat(candidates())
                .anySatisfy(wanted -> assertThat(from(wanted, 3, Map.of()))
                        .hasSize(3)
                        .startsWith(wanted)
                        .doesNotHaveDuplicates());
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
        List<Integer> usual = candidates();
        List<Integer> first = candidates();

        assertThat(IntStream.range(0, CANDIDATES).boxed())
                .anySatisfy(i -> assertThat(from(first.get(i), 3, Map.of(1, usual.get(i))))
                        .hasSize(3)
                        .startsWith(first.get(i), usual.get(i))
                        .doesNotHaveDuplicates());
        assertThat(LocalPorts.free(ListenAddress.LOOPBACK, 3, 0, Map.of(1, usual.get(0))))
                .doesNotContain(usual.get(0));
    }

    @Test
    void aUsualPortThatIsTakenIsReplaced() throws Exception {
        try (ServerSocket taken = listen(0)) {
            assertThat(candidates())
                    .anySatisfy(first -> assertThat(from(first, 2, Map.of(1, taken.getLocalPort())))
                            .hasSize(2)
                            .doesNotContain(taken.getLocalPort()));
        }
        assertThat(candidates())
                .anySatisfy(first ->
                        assertThat(from(first, 2, Map.of(1, first))).hasSize(2).doesNotHaveDuplicates());
    }

    /** Another program may take the port between the check and its use. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aUsualPortThatIsTakenAfterItWasFoundFreeIsReplaced() throws Exception {
        try (ServerSocket first = listen(0);
                ServerSocket lost = new ServerSocket(0, 1, InetAddress.getByName(OTHER.host()))) {
            List<Integer> ports =
                    LocalPorts.free(OTHER, 2, first.getLocalPort(), Map.of(1, lost.getLocalPort()), port -> true);

            assertThat(ports).hasSize(2).startsWith(first.getLocalPort()).doesNotContain(lost.getLocalPort());
        }
    }

    @Test
    void onlyTheFirstPortIsRefusedByItsOwnNumber() throws Exception {
        try (ServerSocket first = listen(0);
                ServerSocket usual = listen(0)) {
            assertThatThrownBy(() -> LocalPorts.free(
                            ListenAddress.LOOPBACK,
                            2,
                            first.getLocalPort(),
                            Map.of(1, usual.getLocalPort()),
                            port -> true))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1:" + first.getLocalPort() + ": ");
        }
    }

    /** Another program on the machine may take a released port at once, but hardly several times in a row. */
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

    /**
     * Only services that clients on other machines need use the other address, so the other ports must be free on
     * loopback.
     */
    @Test
    @EnabledOnOs(OS.LINUX)
    void onAnotherAddressPortsAreFreeOnLoopbackToo() throws Exception {
        try (ServerSocket taken = listen(0);
                ServerSocket first = listen(0)) {
            int port = taken.getLocalPort();

            // The first port is for clients, which connect to the other address.
            assertThat(LocalPorts.free(OTHER, 2, first.getLocalPort(), Map.of(1, port)))
                    .hasSize(2)
                    .startsWith(first.getLocalPort())
                    .doesNotContain(port);
            assertThat(LocalPorts.isFree(OTHER, port)).isTrue();
            assertThat(LocalPorts.listens(OTHER.withPort(port))).isFalse();
        }
    }

    /** Returns several ports: another program may take any of them, but hardly all. */
    private static List<Integer> candidates() throws LocalBrokerException {
        return LocalPorts.free(ListenAddress.LOOPBACK, CANDIDATES, 0);
    }

    /** Returns no ports if another program has taken the first one. */
    private static List<Integer> from(int first, int count, Map<Integer, Integer> usualPorts) {
        try {
            return LocalPorts.free(ListenAddress.LOOPBACK, count, first, usualPorts);
        } catch (LocalBrokerException e) {
            assertThat(e).hasMessageStartingWith("cannot listen on 127.0.0.1:" + first + ": ");
            return List.of();
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
