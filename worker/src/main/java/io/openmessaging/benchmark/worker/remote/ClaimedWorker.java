package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Liveness;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker that this coordinator owns until it releases it. Thread-safe, except for its runs. */
public final class ClaimedWorker implements Liveness {

    /** Interval between checks whether a heartbeat is needed. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /**
     * A heartbeat is sent after a silence of this length. A run that requests the status once a second leaves no such
     * silence.
     */
    static final int QUIET_MS = 1500;

    /**
     * A heartbeat is sent at this interval in any case: the time of a run's request includes the work that it
     * requests.
     */
    private static final Duration OWN_BEAT = Duration.ofSeconds(5);

    /** A heartbeat that takes longer is abandoned, so that the next one can be sent. */
    static final int BEAT_LIMIT_MS = 2000;

    private static final int ROUND_TRIPS = 9;

    private final WorkerUrl url;
    private final String session;
    private final Claimed claimed;
    private final Lines lines;
    private final WorkerLiveness liveness;
    private final long[] roundTripsNs = new long[ROUND_TRIPS];
    private int roundTrips;
    private int runs;
    private volatile String progress = "";

    /** Why the process has ended if its port refuses connections. */
    private volatile String endReason = "its process has ended: connections to its port are refused";

    /** The latest heartbeat; used only by the thread that sends them. */
    private @Nullable CompletableFuture<Reply> asked;

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

    /** Returns the exchange of a new run; the first request on it ends the previous run. */
    public synchronized Exchange newRun() {
        return new RunExchange(toString(), new Line(), lines.timeouts, ++runs, System::nanoTime);
    }

    /** The worker, as a run sees it. */
    private final class Line implements RunExchange.Line {

        @Override
        public Reply post(String path, byte[] body) throws IOException {
            try {
                Reply reply = lines.steps.postStep(url, path, session, body, () -> lost().isPresent());
                heard(reply);
                return reply;
            } catch (IOException e) {
                unanswered(e);
                throw e;
            }
        }

        @Override
        public String describe(IOException error) {
            return FailureText.describe(url, lines.timeouts, error);
        }

        @Override
        public Optional<String> lost() {
            return ClaimedWorker.this.lost();
        }

        @Override
        public void progress(String text) {
            progress = text;
        }
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
            liveness.missed(FailureText.describe(url, lines.timeouts, error));
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
        asked = lines.beats
                .postAsync(url, Paths.ALIVE, session, Duration.ofMillis(BEAT_LIMIT_MS))
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        answered(reply, System.nanoTime() - sentNs);
                    } else {
                        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                        if (cause instanceof IOException e) {
                            unanswered(e);
                        } else {
                            liveness.missed(String.valueOf(cause));
                        }
                    }
                });
    }

    private void answered(Reply reply, long tookNs) {
        heard(reply);
        if (reply.is(Paths.DONE)) {
            note(tookNs);
        }
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

    /** The progress of a long request, for people; empty if there is none. */
    public String progress() {
        return progress;
    }

    @Override
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
