package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadEndTest {

    /** Of 1,000 messages 900 were confirmed and 10 refused when the wait ended. */
    private static final Totals WHEN_WAIT_ENDED = new Totals(1000, 900, 10, List.of(900L), 0);

    private static Worker.Lost lost(int worker, long inFlight) {
        return new Worker.Lost(worker, "worker " + worker, 0, "it was killed", inFlight);
    }

    @Test
    void aMessageHasNoAnswerUnlessTheCloseOfItsClientBroughtOne() {
        assertThat(LoadEnd.unanswered(WHEN_WAIT_ENDED, WHEN_WAIT_ENDED, List.of()))
                .isEqualTo(90);
        assertThat(LoadEnd.unanswered(WHEN_WAIT_ENDED, new Totals(1000, 970, 30, List.of(970L), 0), List.of()))
                .as("70 were confirmed late; the 20 that were given up have no answer")
                .isEqualTo(20);
    }

    @Test
    void theMessagesOfALostWorkerAreInDoubtInsteadOfUnanswered() {
        assertThat(LoadEnd.unanswered(WHEN_WAIT_ENDED, WHEN_WAIT_ENDED, List.of(lost(0, 25), lost(2, 60))))
                .as("of 90 in flight, 85 were those of lost workers")
                .isEqualTo(5);
        assertThat(LoadEnd.unanswered(WHEN_WAIT_ENDED, WHEN_WAIT_ENDED, List.of(lost(0, 100))))
                .as("a lost worker's count may be older than the others'")
                .isZero();
    }
}
