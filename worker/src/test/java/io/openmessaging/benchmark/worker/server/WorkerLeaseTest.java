package io.openmessaging.benchmark.worker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class WorkerLeaseTest {

    private static final Build BUILD = new Build("1.0", Map.of("lib", "abc", "drivers/kafka", "def"));
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final String ANA = "session-of-ana-0001";
    private static final String BEN = "session-of-ben-0001";

    private final FakeSystem system = new FakeSystem();
    private long nowNs = -3;
    private final List<WeakReference<Worker>> workers = new CopyOnWriteArrayList<>();
    private final WorkerLease workerLease = new WorkerLease(BUILD, LEASE, progress -> newWorker(), () -> nowNs);

    private Worker newWorker() {
        Worker worker = TestDrivers.worker(system, new EpochClock());
        workers.add(new WeakReference<>(worker));
        return worker;
    }

    private static Claim claim(String session) {
        return new Claim(BUILD, "ana@lab0", session);
    }

    private void pass(Duration time) {
        nowNs += time.toNanos();
    }

    private static void assertRefused(ThrowingCallable request, int status, String reason) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(status))
                .hasMessageContaining(reason);
    }

    @Test
    void aWorkerIsGivenToOneAndTheOtherIsToldWhoHasIt() throws Exception {
        workerLease.claim(claim(ANA));
        CoordinatorSession session = workerLease.session(ANA);
        assertRefused(() -> workerLease.claim(claim(BEN)), Paths.BUSY, "busy: a run of ana@lab0 since ");
        assertThat(workerLease.session(ANA)).isSameAs(session);
        assertRefused(() -> workerLease.session(BEN), Paths.OVER, "no such session");
    }

    @Test
    void aClaimThatComesTwiceChangesNothing() throws Exception {
        byte[] key = workerLease.claim(claim(ANA)).probeKey();
        CoordinatorSession session = workerLease.session(ANA);
        assertThat(workerLease.claim(claim(ANA)).probeKey()).isEqualTo(key);
        assertThat(workerLease.session(ANA)).isSameAs(session);
    }

    @Test
    void anotherBuildIsRefusedAndBothAreNamed() {
        Build other = new Build("1.1", Map.of("lib", "abc", "drivers/kafka", "xyz"));
        assertRefused(
                () -> workerLease.claim(new Claim(other, "ana", ANA)),
                Paths.CONFLICT,
                "the worker runs " + BUILD + ", the coordinator " + other + "; they differ in drivers/kafka");
    }

    @Test
    void aSessionThatCouldBeGuessedIsRefused() {
        assertRefused(() -> workerLease.claim(claim("1")), Paths.UNREADABLE, "16 to 128 characters");
    }

    @Test
    void theLeaseEndsUnlessItIsRenewed() throws Exception {
        workerLease.claim(claim(ANA));
        pass(LEASE);
        workerLease.session(ANA);
        pass(LEASE);
        workerLease.endIfOver();
        assertThat(workerLease.busy()).isNotNull();
        pass(Duration.ofNanos(1));
        workerLease.endIfOver();
        assertThat(workerLease.busy()).isNull();
        assertRefused(() -> workerLease.session(ANA), Paths.OVER, "the coordinator was silent for 15000 ms");
    }

    @Test
    void whoComesAfterTheLeaseIsRefusedEvenBeforeItWasLookedAt() throws Exception {
        byte[] key = workerLease.claim(claim(ANA)).probeKey();
        pass(LEASE.plusNanos(1));
        assertRefused(() -> workerLease.session(ANA), Paths.OVER, "the coordinator was silent");
        assertRefused(() -> workerLease.claim(claim(BEN)), Paths.SOON, "being ended");
        workerLease.endIfOver();
        assertThat(workerLease.claim(claim(BEN)).probeKey()).isNotEqualTo(key);
        assertThat(workerLease.session(BEN).id()).isEqualTo(BEN);
    }

    @Test
    void aWorkerThatWasGivenBackIsFreeOnceItsRunHasEnded() throws Exception {
        workerLease.claim(claim(ANA));
        CompletableFuture<Boolean> free = workerLease.release(ANA);
        assertThat(free).isNotDone();
        assertThat(workerLease.release(ANA)).isSameAs(free);
        workerLease.endIfOver();
        assertThat(free).isDone();
        assertThat(workerLease.release(ANA)).isDone();
        assertRefused(() -> workerLease.session(ANA), Paths.OVER, "the coordinator released it");
    }

    @Test
    void aClaimThatWasOnItsWayForLongBeginsNothingAgain() throws Exception {
        workerLease.claim(claim(ANA));
        CompletableFuture<Boolean> free = workerLease.release(ANA);
        workerLease.endIfOver();
        assertThat(free).isDone();
        assertRefused(() -> workerLease.claim(claim(ANA)), Paths.OVER, "the coordinator released it");
        assertThat(workerLease.busy()).isNull();
    }

    @Test
    void aServerThatEndsTakesNobody() throws Exception {
        workerLease.claim(claim(ANA));
        workerLease.close("the worker was stopped");
        workerLease.endIfOver();
        assertRefused(() -> workerLease.claim(claim(BEN)), Paths.CONFLICT, "being stopped");
    }

    @Test
    void aStepThatIsOnDoesNotKeepAWorkerFromBeingFreed() throws Exception {
        workerLease.claim(claim(ANA));
        CoordinatorSession session = workerLease.session(ANA);
        Patience.get("the answer", session.take(1, 1, Request.STATUS, new byte[0]));
        CompletableFuture<Boolean> free = workerLease.release(ANA);
        assertRefused(() -> session.take(1, 2, Request.STATUS, new byte[0]), Paths.OVER, "over");
        workerLease.endIfOver();
        assertThat(free).isDone();
        assertThat(workerLease.busy()).isNull();
    }

    @Test
    void aRunThatIsOverIsNotKept() throws Exception {
        workerLease.claim(claim(ANA));
        for (int run = 1; run <= 2; run++) {
            Patience.get("the answer", workerLease.session(ANA).take(run, 1, Request.STATUS, new byte[0]));
        }
        Patience.until("the first worker is collected", () -> {
            System.gc();
            return workers.get(0).get() == null;
        });
        assertThat(workers).hasSize(2);
    }

    @Test
    void aNameOnOthersTerminalsIsPlain() throws Exception {
        workerLease.claim(new Claim(BUILD, "\u001b[31mana\n", ANA));
        assertThat(workerLease.busy()).contains("a run of ?[31mana? since");
    }

    /** Its topics remain on the system if its coordinator dies meanwhile. */
    @Test
    void aRunIsOpenFromItsPreparationToItsClose() throws Exception {
        workerLease.claim(claim(ANA));
        CoordinatorSession session = workerLease.session(ANA);
        assertThat(session.openRun()).isEmpty();
        Patience.get("the answer", session.take(1, 1, Request.PREPARE, Wire.write(TestDrivers.prepare())));
        assertThat(session.openRun()).contains("run1");
        Patience.get("the answer", session.take(1, 2, Request.CLOSE, new byte[0]));
        assertThat(session.openRun()).isEmpty();
    }
}
