package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StandalonePortsTest {

    private static final int ANY = 0;

    @Test
    void areDifferentAndFreeUnlessOneIsAskedFor() throws Exception {
        int unused = LoopbackPorts.free(1, ANY).get(0);
        StandalonePorts ports = StandalonePorts.free(ANY, unused);
        assertThat(Set.of(ports.client(), ports.http(), ports.bookie())).hasSize(3);
        assertThat(ports.http()).isNotEqualTo(unused);
    }

    @Test
    void withAPortForTheClientsHttpGetsItsUsualOne() throws Exception {
        List<Integer> free = LoopbackPorts.free(2, ANY);
        StandalonePorts ports = StandalonePorts.free(free.get(0), free.get(1));
        assertThat(ports.client()).isEqualTo(free.get(0));
        assertThat(ports.http()).isEqualTo(free.get(1));
    }

    @Test
    void aUsualPortThatIsTakenIsReplaced() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            int first = LoopbackPorts.free(1, ANY).get(0);
            assertThat(StandalonePorts.free(first, taken.getLocalPort()).http())
                    .isPositive()
                    .isNotEqualTo(taken.getLocalPort());
        }
    }
}
