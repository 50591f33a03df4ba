package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.clock.ProbeResponder;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ownership of the worker: one coordinator at a time has it and the key to its clock, until it releases the worker
 * or has been silent for the length of the lease. Thread-safe; only {@link #endIfOver} waits, on the thread that
 * watches the lease.
 */
final class WorkerLease {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLease.class);

    /** Number of ended sessions that are remembered: a claim that was delayed for long must not start one again. */
    private static final int REMEMBERED = 64;

    private static final int SHORTEST_SESSION = 16;
    private static final int LONGEST_SESSION = 128;
    private static final int INCARNATION_BYTES = 8;
    private static final int KEY_BYTES = 32;

    private final WorkerInfo free;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Duration lease;
    private final Workplace workplace;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> over = new LinkedHashMap<>();
    private @Nullable ProbeResponder probes;
    private @Nullable CoordinatorSession session;

    /** The key to the clock in this session. */
    private byte[] key = {};

    private long heardNs;

    /** Reason to end the session; null while it lasts. */
    private @Nullable String end;

    private boolean closed;

    private CompletableFuture<Boolean> freed = CompletableFuture.completedFuture(true);

    /**
     * Creates the lease of a free worker.
     *
     * @param build build that a coordinator must have as well
     * @param lease time for which a coordinator may be silent
     * @param nanoTime as {@link System#nanoTime}
     */
    WorkerLease(Build build, Duration lease, Workplace workplace, LongSupplier nanoTime) {
        this.free = new WorkerInfo(
                WorkerHost.ownName(),
                build,
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                HexFormat.of().formatHex(randomBytes(INCARNATION_BYTES)),
                null);
        this.lease = lease;
        this.workplace = workplace;
        this.nanoTime = nanoTime;
    }

    private byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
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
        return free.busy(busy());
    }

    /** Describes the state, as a text for people. */
    String page() {
        String busy = busy();
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

    /**
     * Gives the worker to a coordinator; repeats the answer to one that already has it.
     *
     * @throws Refusal if another coordinator has it, or if the coordinator is of another build
     */
    synchronized Claimed claim(Claim claim) throws Refusal {
        check(claim);
        if (session != null && isIt(claim.session())) {
            session(claim.session());
        } else {
            begin(claim);
        }
        return new Claimed(free, lease.toMillis(), key, probes == null ? 0 : probes.port());
    }

    private void begin(Claim claim) throws Refusal {
        String ended = over.get(claim.session());
        if (ended != null) {
            throw new Refusal(Paths.OVER, "the session is over: " + ended);
        }
        if (isLeaseOver()) {
            beginEnd(silence());
        }
        if (session != null) {
            throw new Refusal(end == null ? Paths.BUSY : Paths.SOON, "busy: " + busy());
        }
        if (closed) {
            throw new Refusal(Paths.CONFLICT, "the worker is being stopped");
        }
        CoordinatorSession begun = new CoordinatorSession(claim, workplace, nanoTime);
        session = begun;
        heardNs = nanoTime.getAsLong();
        freed = new CompletableFuture<>();
        key = randomBytes(KEY_BYTES);
        if (probes != null) {
            probes.answer(key);
        }
        LOG.info("Claimed for {}", begun.describe());
    }

    private void check(Claim claim) throws Refusal {
        int length = claim.session().length();
        if (length < SHORTEST_SESSION || length > LONGEST_SESSION) {
            throw new Refusal(
                    Paths.UNREADABLE,
                    "the name of a session must have " + SHORTEST_SESSION + " to " + LONGEST_SESSION + " characters");
        }
        Build build = free.build();
        if (!build.equals(claim.build())) {
            List<String> differences = build.differences(claim.build());
            throw new Refusal(
                    Paths.CONFLICT,
                    "another build: the worker runs " + build + ", the coordinator " + claim.build()
                            + (differences.isEmpty() ? "" : "; they differ in " + String.join(", ", differences)));
        }
    }

    /** Compares in a time that does not depend on where the ids differ. */
    private boolean isIt(String id) {
        return session != null
                && MessageDigest.isEqual(
                        session.id().getBytes(StandardCharsets.UTF_8), id.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the session of a request and renews the lease.
     *
     * @throws Refusal if the session is over, or if there is none with that id
     */
    synchronized CoordinatorSession session(String id) throws Refusal {
        if (session == null || !isIt(id)) {
            String ended = over.get(id);
            if (ended != null) {
                throw new Refusal(Paths.OVER, "the session is over: " + ended);
            }
            throw new Refusal(Paths.OVER, "there is no such session");
        }
        if (isLeaseOver()) {
            beginEnd(silence());
        }
        if (end != null) {
            throw new Refusal(Paths.OVER, "the session is over: " + end);
        }
        heardNs = nanoTime.getAsLong();
        return session;
    }

    private boolean isLeaseOver() {
        return session != null && nanoTime.getAsLong() - heardNs > lease.toNanos();
    }

    private String silence() {
        return "the coordinator was silent for " + lease.toMillis() + " ms";
    }

    /**
     * Takes the worker back.
     *
     * @return completes once the worker is free
     * @throws Refusal if there is no session with that id
     */
    synchronized CompletableFuture<Boolean> release(String id) throws Refusal {
        if (session == null || !isIt(id)) {
            if (over.containsKey(id)) {
                return CompletableFuture.completedFuture(true);
            }
            throw new Refusal(Paths.OVER, "there is no such session");
        }
        beginEnd("the coordinator released it");
        return freed;
    }

    private void beginEnd(String why) {
        if (end == null && session != null) {
            end = why;
            session.refuseMore();
            notifyAll();
        }
    }

    /** Initiates the end of the session and permits no other. */
    synchronized void close(String why) {
        closed = true;
        beginEnd(why);
        notifyAll();
    }

    /** Waits until {@link #endIfOver} may have something to do. */
    synchronized void await(Duration limit) throws InterruptedException {
        if (end == null && !closed) {
            wait(limit.toMillis());
        }
    }

    /** Ends the session if it is over, and returns once the worker is free. */
    void endIfOver() {
        CoordinatorSession ending;
        String why;
        synchronized (this) {
            if (isLeaseOver()) {
                beginEnd(silence());
            }
            if (session == null || end == null) {
                return;
            }
            ending = session;
            why = end;
            if (probes != null) {
                probes.answerNobody();
            }
        }
        Optional<String> abandoned = why.equals(silence()) ? ending.openRun() : Optional.empty();
        LOG.info("Ending {}: {}", ending.describe(), why);
        long beganNs = nanoTime.getAsLong();
        ending.end();
        LOG.info("Free again after {} ms", TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beganNs));
        abandoned.ifPresent(run -> LOG.warn(
                "If the coordinator has died, topics and subscriptions of run {} remain on the system, unless that"
                        + " ended with it: delete those with {} in their names",
                run,
                run));
        synchronized (this) {
            over.put(ending.id(), why);
            if (over.size() > REMEMBERED) {
                over.remove(over.keySet().iterator().next());
            }
            session = null;
            end = null;
            freed.complete(true);
        }
    }

    /** Describes the owner, the start and the activity of the session, for people; null if the worker is free. */
    synchronized @Nullable String busy() {
        if (session == null) {
            return null;
        }
        String doing = session.doing();
        String state = end != null ? "which is being ended" : doing == null ? "which waits for a request" : doing;
        return session.describe() + ", " + state;
    }
}
