package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.clock.ProbeResponder;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Adds the worker's description of itself and the key to its clock to the {@link WorkerLease}. Thread-safe. */
final class WorkerAccess {

    private static final int INCARNATION_BYTES = 8;
    private static final int KEY_BYTES = 32;
    private static final byte[] NOBODYS = {};

    private final WorkerLease workerLease;
    private final WorkerInfo free;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final SecureRandom random = new SecureRandom();
    private @Nullable ProbeResponder probes;
    private @Nullable CoordinatorSession keyOf;
    private byte[] key = NOBODYS;

    WorkerAccess(WorkerLease workerLease, Build build) {
        this.workerLease = workerLease;
        byte[] incarnation = new byte[INCARNATION_BYTES];
        random.nextBytes(incarnation);
        this.free = new WorkerInfo(
                WorkerHost.ownName(),
                build,
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                HexFormat.of().formatHex(incarnation),
                null);
    }

    /** Sets the responder that answers clock probes from now on. */
    synchronized void probesBy(ProbeResponder opened) {
        probes = opened;
    }

    /** Differs after every start. */
    String incarnation() {
        return free.incarnation();
    }

    WorkerInfo info() {
        return free.busy(workerLease.busy());
    }

    /**
     * Gives the worker to a coordinator; repeats the answer to one that already has it.
     *
     * @throws Refusal see {@link WorkerLease#claim}
     */
    synchronized Claimed claim(Claim claim) throws Refusal {
        CoordinatorSession session = workerLease.claim(claim);
        if (keyOf != session) {
            keyOf = session;
            key = new byte[KEY_BYTES];
            random.nextBytes(key);
            if (probes != null) {
                probes.answer(key);
            }
        }
        return new Claimed(free, workerLease.lease().toMillis(), key, probes == null ? 0 : probes.port());
    }

    CoordinatorSession session(String id) throws Refusal {
        return workerLease.session(id);
    }

    /** Ends the session if it is over, and returns once the worker is free. */
    void endIfOver() {
        workerLease.endIfOver(this::answerNobody);
    }

    private synchronized void answerNobody() {
        keyOf = null;
        if (probes != null) {
            probes.answerNobody();
        }
    }

    /** See {@link WorkerLease#release}. */
    CompletableFuture<Boolean> release(String id) throws Refusal {
        return workerLease.release(id);
    }

    /** Describes the state, as a text for people. */
    String page() {
        String busy = workerLease.busy();
        return "benchmark worker %s on %s%nJava %s, %d processors%nup since %s, incarnation %s%n%s%n"
                .formatted(
                        free.build(),
                        free.host(),
                        free.jdk(),
                        free.processors(),
                        started,
                        free.incarnation(),
                        busy == null ? "free" : "busy: " + busy);
    }
}
