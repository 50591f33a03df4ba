package io.openmessaging.benchmark.worker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepsTest {

    private static final byte[] NOTHING = {};

    /** Answers with the number of requests so far; waits in PREPARE, and in PROBE whatever interrupts it. */
    private final class Counting implements Exchange {

        @Override
        public WireReply exchange(Request request, byte[] body) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            done.add(request);
            if (request == Request.PREPARE) {
                entered.countDown();
                release.await();
            } else if (request == Request.PROBE) {
                entered.countDown();
                stubborn.join();
            }
            return new WireReply(false, new byte[] {(byte) done.size()});
        }
    }

    private final List<Request> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CompletableFuture<Void> stubborn = new CompletableFuture<>();
    private long nowNs;
    private final Steps steps = new Steps(new Counting(), () -> nowNs);

    @AfterEach
    void end() {
        release.countDown();
        stubborn.complete(null);
        steps.end(Patience.LIMIT);
    }

    private static WireReply get(CompletableFuture<WireReply> answer) throws Exception {
        return Patience.get("the answer", answer);
    }

    private static void assertRefused(ThrowingCallable request, int status) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(status));
    }

    @Test
    void aStepThatComesTwiceIsCarriedOutOnceAndHasOneAnswer() throws Exception {
        WireReply first = get(steps.take(1, Request.STATUS, NOTHING));
        WireReply again = get(steps.take(1, Request.STATUS, NOTHING));
        assertThat(again).isSameAs(first);
        assertThat(done).containsExactly(Request.STATUS);
    }

    @Test
    void anotherRequestOfTheSameNumberIsRefused() throws Exception {
        get(steps.take(1, Request.STATUS, NOTHING));
        assertRefused(() -> steps.take(1, Request.STOP, NOTHING), Paths.CONFLICT);
        assertRefused(() -> steps.take(1, Request.STATUS, new byte[1]), Paths.CONFLICT);
    }

    @Test
    void anOlderStepIsNotCarriedOutAnyMore() throws Exception {
        get(steps.take(2, Request.STATUS, NOTHING));
        assertRefused(() -> steps.take(1, Request.STOP, NOTHING), Paths.CONFLICT);
        assertThat(done).containsExactly(Request.STATUS);
    }

    @Test
    void aNewerStepInterruptsTheOneBeforeAndComesAfterIt() throws Exception {
        CompletableFuture<WireReply> blocked = steps.take(1, Request.PREPARE, NOTHING);
        Patience.await("the step goes on", entered);
        WireReply next = get(steps.take(2, Request.CLOSE, NOTHING));
        assertThat(next.refused()).isFalse();
        assertThat(get(blocked).refused()).isTrue();
        assertThat(done).containsExactly(Request.PREPARE, Request.CLOSE);
    }

    @Test
    void aStepThatIsGivenUpIsInterrupted() throws Exception {
        assertRefused(() -> steps.giveUp(1), Paths.UNKNOWN);
        CompletableFuture<WireReply> blocked = steps.take(1, Request.PREPARE, NOTHING);
        Patience.await("the step goes on", entered);
        steps.giveUp(1);
        assertThat(get(blocked).refused()).isTrue();
        WireReply next = get(steps.take(2, Request.STATUS, NOTHING));
        assertThat(next.refused()).as("the interrupt is not for the next").isFalse();
    }

    @Test
    void aLoadGoesOnBetweenItsStartAndItsStop() throws Exception {
        get(steps.take(1, Request.START, NOTHING));
        get(steps.take(2, Request.STATUS, NOTHING));
        nowNs = TimeUnit.SECONDS.toNanos(12);
        assertThat(steps.doing()).isEqualTo("load for 12 s");
        get(steps.take(3, Request.STOP, NOTHING));
        get(steps.take(4, Request.STATUS, NOTHING));
        assertThat(steps.doing()).isNull();
    }

    @Test
    void whatGoesOnIsToldWithItsTime() throws Exception {
        assertThat(steps.doing()).isNull();
        CompletableFuture<WireReply> blocked = steps.take(1, Request.PREPARE, NOTHING);
        nowNs = TimeUnit.SECONDS.toNanos(7);
        assertThat(steps.doing()).isEqualTo("prepare for 7 s");
        release.countDown();
        get(blocked);
        assertThat(steps.doing()).isNull();
    }

    @Test
    void theEndInterruptsAndClosesOnce() throws Exception {
        CompletableFuture<WireReply> blocked = steps.take(1, Request.PREPARE, NOTHING);
        Patience.await("the step goes on", entered);
        steps.end(Patience.LIMIT);
        assertThat(get(blocked).refused()).isTrue();
        assertThat(done).containsExactly(Request.PREPARE, Request.CLOSE);
        assertRefused(() -> steps.take(2, Request.STATUS, NOTHING), Paths.CONFLICT);
    }

    @Test
    void anEndThatIsInterruptedClosesAtOnce() throws Exception {
        CompletableFuture<WireReply> blocked = steps.take(1, Request.PROBE, NOTHING);
        Patience.await("the step goes on", entered);
        Thread.currentThread().interrupt();
        steps.end(Patience.LIMIT);
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
        assertThat(done).containsExactly(Request.PROBE, Request.CLOSE);
        assertThat(blocked).isNotDone();
    }

    @Test
    void anInterruptBeforeTheEndDoesNotReachTheClosing() throws Exception {
        steps.end(Patience.LIMIT);
        Thread.currentThread().interrupt();
        steps.end(Patience.LIMIT);
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
        assertThat(done).containsExactly(Request.CLOSE, Request.CLOSE);
    }
}
