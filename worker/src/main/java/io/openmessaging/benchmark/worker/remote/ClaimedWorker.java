package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Liveness;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A worker that this coordinator has, until it gives it back. Thread-safe, its runs excepted. */
public final class ClaimedWorker implements Liveness {

    /** How long signs of life are apart. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /** One is asked for after such a silence. While a run asks how things are, once a second, there is none. */
    private static final Duration QUIET = BEAT.multipliedBy(3).dividedBy(2);

    /** One is asked for that often in any case: requests of runs take as long as what they ask for. */
    private static final Duration OWN_BEAT = Duration.ofSeconds(5);

    /** A sign of life that takes longer is given up, so that the next one can be asked for. */
    private static final Duration BEAT_LIMIT = Duration.ofSeconds(2);

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

    /** The latest sign of life that was asked for; only used by the thread that asks. */
    private @Nullable CompletableFuture<Reply> asked;

    /** When that was, by {@link System#nanoTime()}; only used by that thread. */
    private long askedNs = System.nanoTime() - OWN_BEAT.toNanos();

    /**
     * What leads to workers.
     *
     * @param steps for requests of runs
     * @param beats for signs of life
     * @param timeouts how long they get
     */
    record Lines(WorkerCalls steps, WorkerCalls beats, WorkerTimeouts timeouts) {}

    ClaimedWorker(WorkerUrl url, String session, Claimed claimed, Lines lines, WorkerLiveness liveness) {
        this.url = url;
        this.session = session;
        this.claimed = claimed;
        this.lines = lines;
        this.liveness = liveness;
    }

    /** Its process and machine, as of when it was claimed. */
    public WorkerInfo info() {
        return claimed.worker();
    }

    /** A way to another run; the one before is over once something is asked for by this one. */
    public synchronized Exchange newRun() {
        return new RunExchange(toString(), new Line(), lines.timeouts, ++runs, System::nanoTime);
    }

    /** The worker, as a run sees it. */
    private final class Line implements RunExchange.Line {

        @Override
        public Reply post(String path, byte[] body) throws IOException {
            Reply reply = lines.steps.postStep(url, path, session, body, () -> lost().isPresent());
            heard(reply);
            return reply;
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

    /** What an answer says of the worker, whatever was asked. */
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
     * Asks for a sign of life, unless one is in flight or an answer has just been one, and looks at how long there was none.
     * Waits for nothing.
     */
    void beat() {
        liveness.listen();
        long sentNs = System.nanoTime();
        boolean needed = liveness.silentNs() > QUIET.toNanos() || sentNs - askedNs > OWN_BEAT.toNanos();
        if (!needed || liveness.lost().isPresent() || (asked != null && !asked.isDone())) {
            return;
        }
        askedNs = sentNs;
        asked = lines.beats.postAsync(url, Paths.ALIVE, session, BEAT_LIMIT).whenComplete((reply, failure) -> {
            if (failure == null) {
                answered(reply, System.nanoTime() - sentNs);
            } else {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                liveness.missed(
                        cause instanceof IOException e
                                ? FailureText.describe(url, lines.timeouts, e)
                                : String.valueOf(cause));
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

    /** The median time of the latest requests and their answers, in nanoseconds. */
    public synchronized long roundTripNs() {
        int known = Math.min(roundTrips, ROUND_TRIPS);
        long[] sorted = Arrays.copyOf(roundTripsNs, known);
        Arrays.sort(sorted);
        return known == 0 ? 0 : sorted[known / 2];
    }

    /** How far it is with what it was asked for, for people; empty if it is with nothing that takes long. */
    public String progress() {
        return progress;
    }

    @Override
    public Optional<String> lost() {
        return liveness.lost();
    }

    /**
     * Its process is known to have ended: it is lost at once, without a wait for an answer.
     *
     * @param why for people
     */
    public void ended(String why) {
        liveness.lose(why);
    }

    /** Whether there has been no sign of life for a while; it may come back. */
    public boolean isSuspect() {
        return liveness.state() != WorkerLiveness.Presence.HEARD;
    }

    /**
     * Reads its clock by HTTP, on the connections of signs of life.
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

    /** Where it answers clock probes by UDP; null if it does not. */
    public @Nullable InetSocketAddress probeAddress() {
        return claimed.probePort() == 0 ? null : new InetSocketAddress(url.host(), claimed.probePort());
    }

    /** The secret of this session's clock probes. */
    public byte[] probeKey() {
        return claimed.probeKey().clone();
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
