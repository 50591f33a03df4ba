package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PausableReaderTest {

    private static final class Reader extends PausableReader {

        /** Completes with the outcome of a wait, once its thread waits. */
        CompletableFuture<Boolean> waiting() {
            CompletableFuture<Boolean> outcome = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    outcome.complete(awaitResumed());
                } catch (InterruptedException e) {
                    outcome.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
            Patience.until("the reader waits", () -> thread.getState() == Thread.State.WAITING);
            return outcome;
        }

        void close() {
            end();
        }
    }

    private final Reader reader = new Reader();

    @Test
    void aReaderThatIsNotPausedDoesNotWait() throws Exception {
        assertThat(reader.awaitResumed()).isTrue();
    }

    @Test
    void aPausedReaderWaitsUntilItIsResumed() throws Exception {
        reader.pause();
        CompletableFuture<Boolean> outcome = reader.waiting();
        assertThat(reader.isPaused()).isTrue();
        reader.resume();
        assertThat(Patience.get("the reader", outcome)).isTrue();
        assertThat(reader.isPaused()).isFalse();
    }

    @Test
    void theEndAlsoEndsAPause() throws Exception {
        reader.pause();
        CompletableFuture<Boolean> outcome = reader.waiting();
        reader.close();
        assertThat(Patience.get("the reader", outcome)).isFalse();
        assertThat(reader.hasEnded()).isTrue();
        assertThat(reader.awaitResumed()).isFalse();
    }
}
