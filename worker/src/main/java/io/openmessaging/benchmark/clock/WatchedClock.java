package io.openmessaging.benchmark.clock;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a worker, watched by a {@link ClockWatch}: with 64 probes at first and after a {@link ClockBreak}, then
 * with five pairs per second, or fewer if there are many clocks. The first probe of a pair wakes threads and
 * processors on both sides, so the second returns sooner; the fastest probes limit the offset. Probes are sent by UDP;
 * while no answer has arrived by UDP for a second, they are sent over the worker's other connection, and UDP is tried
 * once per second.
 *
 * <p>Thread-safe.
 */
public final class WatchedClock implements AutoCloseable {

    static final String UDP = "UDP";

    /** An offset is reported once per second, and used until the next one arrives. */
    private static final long VALID_NS = 2_000_000_000L;

    private static final int FIRST_PROBES = 64;
    private static final int PAIR = 2;
    private static final int MAX_BREAKS = 1_000;
    private static final int MIN_UNANSWERED = 5;
    private static final long EXCHANGE_INTERVAL_NS = 100_000_000;
    private static final long BURST_INTERVAL_NS = 10_000_000;
    private static final long TRIAL_INTERVAL_NS = 1_000_000_000L;
    private static final long REPORT_INTERVAL_NS = 1_000_000_000L;

    /** The address of the worker and the means to ask it. */
    record Target(String name, InetSocketAddress address, byte[] key, ProbeExchange exchange) {}

    private final Target target;
    private final LongSupplier clock;
    private final long silenceNs;
    private final ProvenOffset proven = new ProvenOffset();

    // Used by the watch's thread only.
    private final long session;
    private final ProbeSeal seal;
    private final ProbeDatagram question = new ProbeDatagram();
    private final OpenQuestions open = new OpenQuestions();
    private long number;
    private long dueNs;
    private long reportedNs;

    // Guarded by this.
    private final ClockHistory history = new ClockHistory();
    private final Bursts bursts = new Bursts();
    private final Deque<ClockBreak> breaks = new ArrayDeque<>();
    private @Nullable Thread asking;

    private volatile long heardNs;
    /** Number of questions by UDP since the last answer: while the coordinator itself is paused, it asks none. */
    private volatile int unanswered;

    private volatile boolean closed;

    WatchedClock(Target target, long session, LongSupplier clock, long silenceNs) {
        this.target = target;
        this.session = session;
        this.clock = clock;
        this.silenceNs = silenceNs;
        this.seal = new ProbeSeal(target.key);
        this.heardNs = System.nanoTime();
        this.dueNs = heardNs;
        this.reportedNs = heardNs;
        bursts.addIfNone(FIRST_PROBES);
    }

    public String name() {
        return target.name;
    }

    /**
     * Returns how far it is ahead of the coordinator's clock, now and for the next two seconds; empty while no probe
     * has shown it.
     */
    public Optional<Offset> offset() {
        long nowNs = clock.getAsLong();
        return offset(nowNs, nowNs + VALID_NS);
    }

    /**
     * Returns how far it is ahead, valid at all times of a span.
     *
     * @param startNs epoch nanoseconds of the coordinator; the result is empty if this is before the first probe, the
     *     latest break, or two minutes before the latest probe
     * @param endNs not before the start
     */
    public Optional<Offset> offset(long startNs, long endNs) {
        return proven.during(startNs, endNs);
    }

    /** Returns the current method of asking: {@code UDP}, or the name of the other connection. */
    public String method() {
        return isSilent(System.nanoTime()) ? target.exchange.name() : UDP;
    }

    /**
     * Requests a number of probes, sent as fast as they are answered.
     *
     * @return completes with the number of answers, once all have arrived or none has arrived for a second; actions
     *     that follow must not run in the completing thread, which sends the probes
     */
    public synchronized CompletableFuture<Integer> burst(int probes) {
        CompletableFuture<Integer> done = bursts.add(probes);
        if (closed) {
            bursts.end();
        }
        return done;
    }

    /**
     * Returns the data for a result.
     *
     * @param startNs start of the span, epoch nanoseconds of the coordinator
     * @param endNs end of the span
     */
    public synchronized ClockReport report(long startNs, long endNs) {
        List<ClockBreak> within = breaks.stream()
                .filter(found -> found.untilNs() >= startNs && found.sinceNs() <= endNs)
                .toList();
        return new ClockReport(history.offsets(startNs, endNs), history.probes(startNs, endNs), within);
    }

    long session() {
        return session;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Does what is due, and returns the time of the next action, both by {@link System#nanoTime()}.
     *
     * @param intervalNs the mean time between two pairs
     */
    long work(DatagramChannel channel, long nowNs, long intervalNs) {
        if (nowNs - reportedNs >= REPORT_INTERVAL_NS) {
            reportedNs = nowNs;
            offset().ifPresent(this::reportOffset);
        }
        boolean silent = isSilent(nowNs);
        if (silent) {
            fallBackToExchange();
        }
        boolean bursting = bursting(nowNs);
        if (nowNs - dueNs >= 0) {
            if (!silent && !bursting) {
                beginPair();
            }
            ask(channel, !silent);
            dueNs = nowNs + (silent ? TRIAL_INTERVAL_NS : bursting(nowNs) ? BURST_INTERVAL_NS : around(intervalNs));
        }
        return dueNs;
    }

    /**
     * Returns a random interval around the given one: answers of workers that are asked at the same time would delay
     * each other.
     */
    private static long around(long intervalNs) {
        return intervalNs / 2 + ThreadLocalRandom.current().nextLong(intervalNs);
    }

    private synchronized void beginPair() {
        bursts.addIfNone(PAIR);
    }

    private synchronized void reportOffset(Offset offset) {
        history.report(clock.getAsLong(), offset);
    }

    private boolean isSilent(long nowNs) {
        return unanswered >= MIN_UNANSWERED && nowNs - heardNs > silenceNs;
    }

    private synchronized boolean bursting(long nowNs) {
        bursts.endComplete(nowNs);
        return bursts.isSending();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Only the watch's thread writes it.
    private void ask(DatagramChannel channel, boolean forBurst) {
        question.ask(session, ++number, seal);
        long sentNs = clock.getAsLong();
        try {
            channel.send(question.toSend(), target.address);
        } catch (IOException e) {
            // A network outage: the worker is asked again, and over the other connection.
        }
        open.sent(number, sentNs);
        unanswered++;
        sent(sentNs, forBurst);
    }

    private synchronized void sent(long sentNs, boolean forBurst) {
        history.sent(sentNs);
        if (forBurst) {
            bursts.sent(System.nanoTime());
        }
    }

    /** Handles an answer in this session. */
    void answered(ProbeDatagram answer, long arrivedNs) {
        if (!seal.isIntact(answer.bytes())) {
            return;
        }
        long sentNs = open.answered(answer.number());
        if (sentNs == OpenQuestions.NONE) {
            return;
        }
        heardNs = System.nanoTime();
        unanswered = 0;
        answered(new OffsetProbe(sentNs, answer.receivedNs(), answer.answeredNs(), arrivedNs), UDP);
        if (bursting(heardNs)) {
            dueNs = heardNs;
        }
    }

    private synchronized void answered(OffsetProbe probe, String method) {
        ProvenOffset.ProbeResult outcome = proven.add(probe);
        history.answered(probe.arrivedNs(), probe.roundTripNs(), method);
        bursts.answered(System.nanoTime());
        if (outcome == ProvenOffset.ProbeResult.BREAK) {
            if (breaks.size() == MAX_BREAKS) {
                breaks.remove();
            }
            proven.lastBreak().ifPresent(breaks::add);
            bursts.addIfNone(FIRST_PROBES);
        }
    }

    private synchronized void fallBackToExchange() {
        if ((asking == null || !asking.isAlive()) && !closed) {
            asking = new Thread(this::exchange, "clock-of-" + target.name);
            asking.setDaemon(true);
            asking.start();
            bursts.again(System.nanoTime());
            bursts.addIfNone(FIRST_PROBES);
        }
    }

    /** Asks over the other connection until answers arrive by UDP. */
    private void exchange() {
        try {
            while (!closed && isSilent(System.nanoTime())) {
                boolean answered = askByExchange();
                if (!answered || !bursting(System.nanoTime())) {
                    TimeUnit.NANOSECONDS.sleep(EXCHANGE_INTERVAL_NS);
                }
            }
        } catch (InterruptedException e) {
            // The clock was closed.
        }
    }

    private boolean askByExchange() throws InterruptedException {
        long sentNs = clock.getAsLong();
        sent(sentNs, true);
        try {
            ProbeExchange.Stamps stamps = target.exchange.ask();
            long arrivedNs = clock.getAsLong();
            answered(
                    new OffsetProbe(sentNs, stamps.receivedNs(), stamps.answeredNs(), arrivedNs),
                    target.exchange.name());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the probes of this worker. */
    @Override
    public synchronized void close() {
        closed = true;
        bursts.end();
        if (asking != null) {
            asking.interrupt();
        }
    }

    /**
     * The unanswered questions and their send times, so that a repeated answer, or an answer to no question, is
     * recognised. Only the newest 256 are known: enough for four bursts in flight at a time. Not thread-safe.
     */
    static final class OpenQuestions {

        /** Means that there is no such question. */
        static final long NONE = -1;

        private static final int MAX = 256;

        private final long[] numbers = new long[MAX];
        private final long[] sentNs = new long[MAX];

        void sent(long number, long atNs) {
            int place = place(number);
            numbers[place] = number;
            sentNs[place] = atNs;
        }

        /**
         * Closes the question of an answer and returns when it was sent; {@link #NONE} if the answer belongs to no open
         * question.
         */
        long answered(long number) {
            int place = place(number);
            if (number <= 0 || numbers[place] != number) {
                return NONE;
            }
            numbers[place] = 0;
            return sentNs[place];
        }

        private static int place(long number) {
            return (int) (number & MAX - 1);
        }
    }
}
