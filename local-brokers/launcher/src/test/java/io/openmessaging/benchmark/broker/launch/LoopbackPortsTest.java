package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {

    @Test
    void portsAreDifferentAndCanBeListenedOn() throws Exception {
        List<Integer> ports = LoopbackPorts.free(50, 0);

        assertThat(ports).hasSize(50).doesNotHaveDuplicates();
        for (int port : ports) {
            try (ServerSocket socket = listen(port)) {
                assertThat(socket.isBound()).isTrue();
            }
        }
    }

    /** Whoever got one may not listen on it yet. */
    @Test
    void portsAreNotGivenAwayAgainSoon() throws Exception {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ports.addAll(LoopbackPorts.free(200, 0));
        }
        assertThat(ports).doesNotHaveDuplicates();
    }

    @Test
    void takesTheFirstPortThatIsAskedFor() throws Exception {
        int wanted = LoopbackPorts.free(1, 0).get(0);

        assertThat(LoopbackPorts.free(3, wanted)).hasSize(3).startsWith(wanted).doesNotHaveDuplicates();
    }

    @Test
    void saysThatTheFirstPortIsTaken() throws Exception {
        try (ServerSocket taken = listen(0)) {
            assertThatThrownBy(() -> LoopbackPorts.free(2, taken.getLocalPort()))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessage("cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": Address already in use; stop the program that uses the port, or choose another port");
        }
    }

    @Test
    void withAFirstPortOthersTakeTheirUsualOnes() throws Exception {
        List<Integer> usual = LoopbackPorts.free(2, 0);

        assertThat(LoopbackPorts.free(3, usual.get(0), Map.of(1, usual.get(1))))
                .hasSize(3)
                .startsWith(usual.get(0), usual.get(1))
                .doesNotHaveDuplicates();
        assertThat(LoopbackPorts.free(3, 0, Map.of(1, usual.get(1)))).doesNotContain(usual.get(1));
    }

    @Test
    void aUsualPortThatIsTakenIsReplaced() throws Exception {
        int first = LoopbackPorts.free(1, 0).get(0);

        assertThat(LoopbackPorts.free(2, first, Map.of(1, first))).doesNotHaveDuplicates();
        try (ServerSocket taken = listen(0)) {
            assertThat(LoopbackPorts.free(2, first, Map.of(1, taken.getLocalPort())))
                    .hasSize(2)
                    .doesNotContain(taken.getLocalPort());
        }
    }

    @Test
    void tellsWhetherAPortIsFree() throws Exception {
        int port;
        try (ServerSocket taken = listen(0)) {
            port = taken.getLocalPort();
            assertThat(LoopbackPorts.isFree(port)).isFalse();
            assertThat(LoopbackPorts.listens(port)).isTrue();
        }
        assertThat(LoopbackPorts.isFree(port)).isTrue();
        assertThat(LoopbackPorts.listens(port)).isFalse();
    }

    private static ServerSocket listen(int port) throws Exception {
        return new ServerSocket(port, 1, InetAddress.getByName(LoopbackPorts.HOST));
    }
}
