package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.junit.jupiter.api.Test;

class ConnectionWatchTest {

    private static final ActiveMQDisconnectedException ERROR = new ActiveMQDisconnectedException("the peer is gone");

    private final RecordingEvents events = new RecordingEvents();
    private final ConnectionWatch watch = new ConnectionWatch("127.0.0.1:1", events);

    @Test
    void aLostConnectionEndsTheRun() {
        watch.beforeReconnect(ERROR);
        watch.connectionFailed(ERROR, false, null);

        assertThat(events.fatals())
                .singleElement()
                .satisfies(fatal -> assertThat(fatal)
                        .hasMessage("The connection to Artemis at 127.0.0.1:1 is lost: the peer is gone")
                        .hasCause(ERROR));
        assertThat(events.clientErrors()).isEmpty();
    }

    @Test
    void aConnectionMadeAgainIsCounted() {
        watch.connectionFailed(ERROR, true);

        assertThat(events.fatals()).isEmpty();
        assertThat(events.clientErrors())
                .containsExactly(new RecordingEvents.ClientError("connection lost and made again", ERROR));
    }

    @Test
    void theEndOfAConnectionThatIsClosedIsNoNews() {
        watch.closing();
        watch.connectionFailed(ERROR, false);

        assertThat(events.fatals()).isEmpty();
        assertThat(events.clientErrors()).isEmpty();
    }
}
