package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.junit.jupiter.api.Test;

class ConnectionWatchTest {

    private static final ActiveMQDisconnectedException ERROR = new ActiveMQDisconnectedException("the peer is gone");

    private final RecordingEvents events = new RecordingEvents();
    private final ConnectionWatch watch = new ConnectionWatch("127.0.0.1:1", events);

    /** Happens if the address limits the reconnect attempts. */
    @Test
    void aConnectionThatIsNotMadeAgainEndsTheRun() {
        watch.beforeReconnect(ERROR);
        watch.connectionFailed(ERROR, false, null);

        assertThat(events.fatals())
                .singleElement()
                .satisfies(fatal -> assertThat(fatal)
                        .hasMessage("The connection to Artemis at 127.0.0.1:1 is lost: the peer is gone")
                        .hasCause(ERROR));
        assertThat(kinds()).containsExactly("connection lost");
    }

    @Test
    void aConnectionMadeAgainIsCountedWithItsGap() {
        watch.beforeReconnect(ERROR);
        watch.connectionFailed(ERROR, true);

        assertThat(events.fatals()).isEmpty();
        assertThat(kinds()).containsExactly("connection lost", "reconnected");
        assertThat(events.clientErrors().get(1).cause())
                .hasMessageMatching("A session with Artemis at 127.0.0.1:1 was disconnected for \\d+ ms");
    }

    /** Happens if a client without TLS connects to a broker with TLS: it reconnects each time, but never for long. */
    @Test
    void aLossMeanwhileExplainsAnErrorAlthoughTheConnectionIsThereAgain() {
        long startNs = System.nanoTime();
        DriverException late = new DriverException("no answer within 8000 ms");
        assertThat(watch.explain(late, startNs, () -> true)).isSameAs(late);

        watch.beforeReconnect(ERROR);
        watch.connectionFailed(ERROR, true);

        assertThat(watch.explain(late, startNs, () -> true))
                .hasMessage("no answer within 8000 ms; the connection was lost: the peer is gone")
                .hasCause(late);
        assertThat(watch.explain(late, System.nanoTime() + 1, () -> true))
                .as("of a loss before")
                .isSameAs(late);
    }

    /** The client drops a loss that happens after it connects and before it registers the connection. */
    @Test
    void aLossThatTheClientMissedIsReadFromTheConnection() {
        DriverException late = new DriverException("no answer within 8000 ms");

        assertThat(watch.explain(late, System.nanoTime(), () -> false))
                .hasMessage("no answer within 8000 ms; the connection was lost: closed by the other side");
    }

    private List<String> kinds() {
        return events.clientErrors().stream()
                .map(RecordingEvents.ClientError::kind)
                .toList();
    }

    @Test
    void theEndOfAConnectionThatIsClosedIsNoNews() {
        watch.closing();
        watch.beforeReconnect(ERROR);
        watch.connectionFailed(ERROR, false);

        assertThat(events.fatals()).isEmpty();
        assertThat(events.clientErrors()).isEmpty();
    }
}
