package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PausableReaderTest {

    private static final class Reader extends PausableReader {

        /** Completes with the outcome of a wait, once its thread waits. */
        CompletableFuture<Boolean> waiting() throws InterruptedException {
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
            long endNs = System.nanoTime() + Patience.LIMIT.toNanos();
            while (thread.getState() != Thread.State.WAITING && System.nanoTime() < endNs) {
                Thread.onSpinWait();
            }
            assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
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
        assertThat(outcome.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(reader.isPaused()).isFalse();
    }

    @Test
    void theEndAlsoEndsAPause() throws Exception {
        reader.pause();
        CompletableFuture<Boolean> outcome = reader.waiting();
        reader.close();
        assertThat(outcome.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        assertThat(reader.hasEnded()).isTrue();
        assertThat(reader.awaitResumed()).isFalse();
    }
}
