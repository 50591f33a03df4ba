package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker that this coordinator owns until it releases it. Thread-safe, except for its runs. */
public final class ClaimedWorker {

    /** State of a worker that shows no sign of life, but may return. */
    public static final String SILENT = "suspect, no sign of life";

    /** Interval between checks whether a heartbeat is needed. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /**
     * A heartbeat is sent after a silence of this length. A run that requests the status once a second leaves no such
     * silence.
     */
    static final int QUIET_MS = 1500;

    /**
     * A heartbeat is sent at this interval even if the run sends requests: the time of a run's request includes the work that it
     * requests.
     */
    private static final Duration OWN_BEAT = Duration.ofSeconds(5);

    /** A heartbeat that takes longer is abandoned, so that the next one can be sent. */
    static final int BEAT_LIMIT_MS = 2000;

    private static final int ROUND_TRIPS = 9;

    /** A check whether a port refuses connections waits, which a thread that passes answers on must not do. */
    private static final Executor CHECKS = task -> Workers.newThread(task).start();

    private final WorkerUrl url;
    private final String session;
    private final Claimed claimed;
    private final Lines lines;
    private final WorkerLiveness liveness;
    private final long[] roundTripsNs = new long[ROUND_TRIPS];
    private int roundTrips;
    private int runs;

    /** Why the process has ended if its port refuses connections. */
    private volatile String endReason = "its process has ended: connections to its port are refused";

    /** The latest heartbeat; used only by the thread that sends them. */
    private @Nullable CompletableFuture<?> asked;

    /** Time of the latest heartbeat, by {@link System#nanoTime()}; used only by that thread. */
    private long askedNs = System.nanoTime() - OWN_BEAT.toNanos();

    /**
     * The connections to workers.
     *
     * @param steps for requests of runs
     * @param beats for heartbeats
     * @param timeouts time limits for calls
     */
    record Lines(WorkerCalls steps, WorkerCalls beats, WorkerTimeouts timeouts) {}

    ClaimedWorker(WorkerUrl url, String session, Claimed claimed, Lines lines, WorkerLiveness liveness) {
        this.url = url;
        this.session = session;
        this.claimed = claimed;
        this.lines = lines;
        this.liveness = liveness;
    }

    /** The worker's process and machine, as of the claim. */
    public WorkerInfo info() {
        return claimed.worker();
    }

    /**
     * Returns the worker as a member of the group of a new run; its first request ends the previous run.
     *
     * @param clock offset of the worker's clock, as far as known
     * @param killed reason why this machine's kernel has killed the worker; empty if it has not
     */
    public synchronized Member newRun(Supplier<Optional<Offset>> clock, Supplier<Optional<String>> killed) {
        return new RunExchange(
                this,
                (method, path, body) -> send(lines.steps, method, path, body, lines.timeouts.of(WorkerTimeout.ANSWER)),
                ++runs,
                clock,
                killed);
    }

    private CompletableFuture<Reply> send(WorkerCalls calls, String method, String path, byte[] body, Duration limit) {
        return calls.send(method, url, path, session, body, limit)
                .thenApply(reply -> {
                    heard(reply);
                    return reply;
                })
                // Not exceptionallyComposeAsync: it passes answers to the executor, too, a thread each.
                .exceptionallyCompose(
                        failure -> CompletableFuture.runAsync(() -> unanswered(WorkerCalls.error(failure)), CHECKS)
                                .thenCompose(checked -> CompletableFuture.failedFuture(failure)));
    }

    /** Updates the liveness from an answer to any request. */
    private void heard(Reply reply) {
        if (!reply.incarnation().equals(claimed.worker().incarnation())) {
            liveness.lose(
                    reply.incarnation().isEmpty() ? "another process answers there now" : "its process was restarted");
        } else if (reply.is(Paths.OVER)) {
            liveness.lose("it has ended the run: " + reply.text());
        } else {
            liveness.heard();
        }
    }

    /**
     * Updates the liveness after a request without an answer. A process listens as long as it lives, so a refused
     * connection proves that it has ended.
     */
    void unanswered(IOException error) {
        if (error instanceof ConnectException && url.isRefused()) {
            liveness.lose(endReason);
        } else {
            liveness.missed(describe(error));
        }
    }

    /**
     * Sends a heartbeat, unless one is in flight or another answer arrived recently, and checks how long the worker
     * has been silent. Waits for nothing.
     */
    void beat() {
        liveness.listen();
        long sentNs = System.nanoTime();
        boolean needed =
                liveness.silentNs() > TimeUnit.MILLISECONDS.toNanos(QUIET_MS) || sentNs - askedNs > OWN_BEAT.toNanos();
        if (!needed || liveness.lost().isPresent() || (asked != null && !asked.isDone())) {
            return;
        }
        askedNs = sentNs;
        asked = send(lines.beats, "POST", Paths.ALIVE, WorkerCalls.NOTHING, Duration.ofMillis(BEAT_LIMIT_MS))
                .thenAccept(reply -> {
                    if (reply.is(Paths.DONE)) {
                        note(System.nanoTime() - sentNs);
                    }
                });
    }

    private synchronized void note(long tookNs) {
        roundTripsNs[roundTrips++ % ROUND_TRIPS] = tookNs;
    }

    /** The median round trip time of the latest requests, in nanoseconds. */
    public synchronized long roundTripNs() {
        int known = Math.min(roundTrips, ROUND_TRIPS);
        long[] sorted = Arrays.copyOf(roundTripsNs, known);
        Arrays.sort(sorted);
        return known == 0 ? 0 : sorted[known / 2];
    }

    /** The reason why the worker is lost, as a sentence; empty while it is not. A lost worker stays lost. */
    public Optional<String> lost() {
        return liveness.lost();
    }

    /**
     * Announces that the worker's process is about to end: its port may refuse connections before {@link #ended} is
     * called.
     *
     * @param why reason, for people
     */
    public void willEnd(String why) {
        endReason = why;
    }

    /** Declares the worker lost because its process is known to have ended, without waiting for an answer. */
    public void ended() {
        liveness.lose(endReason);
    }

    /** Returns whether the worker has been silent for a while; it may come back. */
    public boolean isSuspect() {
        return liveness.state() != WorkerLiveness.Presence.HEARD;
    }

    /**
     * Reads the worker's clock by HTTP, on the connections for heartbeats.
     *
     * @throws IOException if it does not answer
     */
    public ClockReading readClock() throws IOException, InterruptedException {
        long sentNs = System.nanoTime();
        Reply reply = lines.beats.get(url, Paths.CLOCK);
        long tookNs = System.nanoTime() - sentNs;
        if (!reply.is(Paths.DONE)) {
            throw new IOException(this + ": the clock was not read: " + reply.text());
        }
        ClockReading reading = reply.read(ClockReading.class);
        note(tookNs - (reading.answeredNs() - reading.receivedNs()));
        return reading;
    }

    /** The address at which the worker answers clock probes by UDP; null if it does not. */
    public @Nullable InetSocketAddress probeAddress() {
        return claimed.probePort() == 0 ? null : new InetSocketAddress(url.host(), claimed.probePort());
    }

    /** The secret of this session's clock probes. */
    public byte[] probeKey() {
        return claimed.probeKey().clone();
    }

    /** The number of the worker among those that the user named, from 1. */
    public int number() {
        return url.number();
    }

    /** The name of the worker for people: {@code worker 3 (host:8080)}, with the address by which it was claimed. */
    public String name() {
        return "worker " + number() + " (" + url.address().hostAndPort() + ")";
    }

    WorkerTimeouts timeouts() {
        return lines.timeouts;
    }

    /** Explains why a request was not answered, for people. */
    String describe(@Nullable Throwable failure) {
        return FailureText.describe(url, lines.timeouts, WorkerCalls.error(failure));
    }

    WorkerUrl url() {
        return url;
    }

    String session() {
        return session;
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
