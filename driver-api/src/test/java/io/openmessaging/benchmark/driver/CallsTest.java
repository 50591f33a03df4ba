package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CallsTest {

    private static final Duration LONG = Patience.LIMIT;

    private final Calls calls = new Calls("acme", DriverThreads.of(CallsTest.class), Calls::message);

    @Test
    void returnsWhatTheCallReturns() throws Exception {
        assertThat(calls.ask("add", Deadline.in(LONG), () -> 1 + 1)).isEqualTo(2);
    }

    @Test
    void anErrorBecomesASentence() {
        assertThatThrownBy(() -> calls.run("read it", Deadline.in(LONG), () -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not read it: disk full")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void anErrorWithoutAMessageIsNamed() {
        assertThat(Calls.message(new IOException())).isEqualTo("IOException");
        assertThat(Calls.message(Calls.innermost(new IOException(new IllegalStateException("shut")))))
                .isEqualTo("shut");
    }

    @Test
    void theMessagesOfAllCausesAreJoinedEachOnce() {
        IOException outer = new IOException("lost", new IOException(new IOException("reset")));
        assertThat(Calls.messages(outer, Calls::message)).isEqualTo("lost: reset");
        IOException again = new IOException("lost: reset", new IOException("reset"));
        assertThat(Calls.messages(again, Calls::message)).isEqualTo("lost: reset");
    }

    @Test
    void aSuppressedErrorStandsForAMissingCause() {
        IOException outer = new IOException("no address answers");
        outer.addSuppressed(new IOException("refused"));
        outer.addSuppressed(new IOException("unreachable"));
        assertThat(Calls.messages(outer, Calls::message)).isEqualTo("no address answers: refused");
    }

    @Test
    void aSentenceStaysAsItIs() {
        DriverException known = new DriverException("Known");
        assertThatThrownBy(() -> calls.run("read it", Deadline.in(LONG), () -> {
                    throw known;
                }))
                .isSameAs(known);
    }

    @Test
    void aCallThatTakesTooLongIsGivenUpAndItsResultDiscarded() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<String> discarded = new CompletableFuture<>();
        CompletableFuture<String> aborted = new CompletableFuture<>();
        assertThatThrownBy(() -> calls.run(
                        "connect to it",
                        Deadline.in(Duration.ofMillis(50)),
                        () -> {
                            awaitIgnoringInterrupts(release);
                            return "late";
                        },
                        discarded::complete,
                        () -> aborted.complete("aborted")))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not connect to it: no answer within 50 ms");
        assertThat(aborted).isCompletedWithValue("aborted");
        assertThat(discarded).isNotDone();
        release.countDown();
        assertThat(Patience.get("the late result", discarded)).isEqualTo("late");
    }

    @Test
    void anInterruptEndsTheWait() {
        CountDownLatch never = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> calls.run("wait", Deadline.in(LONG), never::await))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aCallRunsOnAThreadOfTheDriver() throws Exception {
        Thread thread = calls.ask("look", Deadline.in(LONG), Thread::currentThread);
        assertThat(thread.getName()).isEqualTo("acme-control");
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void aCallThatEndsInTimeIsNotAborted() throws Exception {
        CompletableFuture<String> aborted = new CompletableFuture<>();
        calls.run("add", Deadline.in(LONG), () -> 2, late -> {}, () -> aborted.complete("aborted"));
        assertThat(aborted).isNotDone();
    }

    @Test
    void anAnswerIsReturnedAsItIs() throws Exception {
        assertThat(calls.await("look", Deadline.in(LONG), CompletableFuture.completedFuture("found")))
                .isEqualTo("found");
    }

    @Test
    void aRefusalIsFreedOfWhatFuturesWrapItInto() {
        CompletableFuture<String> answer = CompletableFuture.failedFuture(
                new CompletionException(new ExecutionException(new IllegalStateException("no such topic"))));
        assertThatThrownBy(() -> calls.await("look", Deadline.in(LONG), answer))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not look: no such topic")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAnswerThatDoesNotComeNamesTheLimit() {
        assertThatThrownBy(
                        () -> calls.await("look", Deadline.in(Duration.ofMillis(20)), new CompletableFuture<String>()))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not look: no answer within 20 ms");
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // Clients also ignore interrupts here.
            }
        }
    }
}
