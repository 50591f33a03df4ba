package io.openmessaging.benchmark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.suite.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopSignalTest {

    private final StopSignal stop = new StopSignal();

    @AfterEach
    void noInterruptIsLeftBehind() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void nobodyWantsToStopAtFirst() {
        assertThat(stop.requested()).isFalse();
    }

    @Test
    void aWaitEndsWhenItsTimeIsUp() throws Exception {
        assertThat(stop.await(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
        assertThat(stop.await(0)).isFalse();
        assertThat(stop.await(-1)).isFalse();
    }

    @Test
    void aRequestEndsAWaitThatHasBegun() throws Exception {
        Thread waiting = Thread.currentThread();
        Thread requesting = new Thread(() -> {
            Patience.until("the other thread waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            stop.request();
        });
        requesting.start();
        assertThat(stop.await(TimeUnit.DAYS.toNanos(1))).isTrue();
        Patience.join(requesting);
    }

    @Test
    void afterARequestThereIsNoMoreWaiting() throws Exception {
        stop.request();
        assertThat(stop.requested()).isTrue();
        assertThat(stop.await(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void aRequestInterruptsACallThatKnowsNothingOfIt() throws Exception {
        CountDownLatch inCall = new CountDownLatch(1);
        AtomicReference<String> outcome = new AtomicReference<>("still blocked");
        Thread run = new Thread(() -> {
            try {
                stop.interruptFrom();
                try {
                    inCall.countDown();
                    new CountDownLatch(1).await();
                } finally {
                    stop.noInterrupts();
                }
            } catch (InterruptedException e) {
                outcome.set("interrupted, and again: " + Thread.currentThread().isInterrupted());
            }
        });
        run.start();
        Patience.await("the call", inCall);

        stop.request();

        Patience.join(run);
        assertThat(outcome).hasValue("interrupted, and again: false");
    }

    @Test
    void anInterruptThatComesTooLateForTheCallIsTakenBack() throws Exception {
        stop.interruptFrom();
        stop.request();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        stop.noInterrupts();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(stop.requested()).isTrue();
    }

    @Test
    void aRequestOutsideOfCallsInterruptsNobody() throws Exception {
        stop.interruptFrom();
        stop.noInterrupts();
        stop.request();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void noCallBeginsAfterARequest() {
        stop.request();
        assertThatThrownBy(stop::interruptFrom).isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptOfSomebodyElseIsNotTakenBack() throws Exception {
        stop.interruptFrom();
        Thread.currentThread().interrupt();
        stop.noInterrupts();
        assertThat(Thread.interrupted()).isTrue();
    }
}
