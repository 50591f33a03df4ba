package io.openmessaging.benchmark.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListeningPortsTest {

    private static final String LINE = "   0: 0100007F:5B8D 00000000:0000 0A 00000000:00000000 00:00000000 00000000"
            + "     0        0 4711 1 0000000000000000 100 0 0 10 0";

    @Test
    void aLineOfTheTableTellsThePortOfOneOfTheSockets() {
        assertThat(ListeningPorts.port(LINE, Set.of("4711"))).contains(0x5B8D);
        assertThat(ListeningPorts.port(LINE, Set.of("4712"))).isEmpty();
        assertThat(ListeningPorts.port(LINE.replace(" 0A ", " 01 "), Set.of("4711")))
                .isEmpty();
        assertThat(ListeningPorts.port("  sl  local_address rem_address   st tx_queue", Set.of("4711")))
                .isEmpty();
    }

    @Test
    void thisProcessListensOnWhatItHasOpened() throws Exception {
        List<Long> us = List.of(ProcessHandle.current().pid());
        try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getByName(Relay.HERE))) {
            assertThat(ListeningPorts.of(us)).contains(open.getLocalPort());
        }
    }
}
