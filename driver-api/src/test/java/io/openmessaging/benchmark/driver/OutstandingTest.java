package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OutstandingTest {

    private final Outstanding outstanding = new Outstanding();

    @Test
    void nothingIsAwaitedWhereNothingWasSent() {
        assertThat(outstanding.none()).isCompleted();
    }

    @Test
    void aWaitEndsWithTheLastAnswer() throws Exception {
        outstanding.sent();
        outstanding.sent();
        CompletableFuture<Void> none = outstanding.none();
        outstanding.answered();
        assertThat(none).isNotDone();
        Thread answer = new Thread(outstanding::answered);
        answer.start();
        Patience.get("the last answer", none);
        Patience.join(answer);
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void aSecondWaitEndsToo() {
        outstanding.sent();
        CompletableFuture<Void> inVain = outstanding.none();
        CompletableFuture<Void> second = outstanding.none();
        outstanding.answered();
        assertThat(second).isCompleted();
        assertThat(outstanding.none()).isCompleted();
        assertThat(inVain).as("of a wait that nobody waits for any more").isNotDone();
    }

    @Test
    void answersAreCountedWhereNobodyWaits() {
        outstanding.sent();
        outstanding.sent();
        outstanding.answered();
        assertThat(outstanding.count()).isEqualTo(1);
    }
}
