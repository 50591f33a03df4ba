package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.worker.remote.WorkerLiveness.Presence;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerLivenessTest {

    private static final long LISTEN_MS = 1000;

    private long nowNs = -5;
    private final WorkerTimeouts timeouts = WorkerTimeouts.defaults()
            .with(WorkerTimeout.SUSPECT, Duration.ofSeconds(3))
            .with(WorkerTimeout.LOST, Duration.ofSeconds(10));
    private final WorkerLiveness liveness =
            new WorkerLiveness(timeouts, TimeUnit.MILLISECONDS.toNanos(LISTEN_MS), () -> nowNs);

    private Presence listenFor(int seconds) {
        Presence state = liveness.state();
        for (int i = 0; i < seconds; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(LISTEN_MS);
            state = liveness.listen();
        }
        return state;
    }

    @Test
    void silenceMakesItSuspectAndThenLost() {
        assertThat(listenFor(3)).isEqualTo(Presence.HEARD);
        assertThat(listenFor(1)).isEqualTo(Presence.SUSPECT);
        assertThat(listenFor(6)).isEqualTo(Presence.SUSPECT);
        assertThat(liveness.lost()).isEmpty();
        assertThat(listenFor(1)).isEqualTo(Presence.LOST);
        assertThat(liveness.lost()).contains("nothing heard for 10 s (--worker-limit lost)");
    }

    @Test
    void whatWasInTheWayIsToldOnceItIsLost() {
        liveness.missed("nothing listens there");
        listenFor(11);
        assertThat(liveness.lost()).contains("nothing heard for 10 s (--worker-limit lost): nothing listens there");
    }

    @Test
    void oneThatIsSuspectComesBackAndOneThatIsLostDoesNot() {
        assertThat(listenFor(9)).isEqualTo(Presence.SUSPECT);
        liveness.heard();
        assertThat(liveness.state()).isEqualTo(Presence.HEARD);
        assertThat(listenFor(9)).isEqualTo(Presence.SUSPECT);
        listenFor(2);
        liveness.heard();
        assertThat(liveness.listen()).isEqualTo(Presence.LOST);
    }

    @Test
    void theFirstReasonIsTheOneThatStays() {
        liveness.lose("its process was restarted");
        liveness.lose("something else");
        listenFor(20);
        assertThat(liveness.lost()).contains("its process was restarted");
    }

    @Test
    void silenceDoesNotCountWhileNobodyListened() {
        listenFor(2);
        nowNs += TimeUnit.SECONDS.toNanos(60);
        assertThat(liveness.listen()).isEqualTo(Presence.HEARD);
        assertThat(listenFor(7)).isEqualTo(Presence.SUSPECT);
        assertThat(listenFor(2)).isEqualTo(Presence.LOST);
    }
}
