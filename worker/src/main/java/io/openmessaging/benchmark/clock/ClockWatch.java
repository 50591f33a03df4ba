package io.openmessaging.benchmark.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The coordinator's side of probing: it continuously determines the offsets of workers' clocks from its own. It
 * ignores answers without the seal of a worker's session, answers to no open question, and repeated answers.
 *
 * <p>Thread-safe. It has one daemon thread and one socket for all workers, until closed, and one more thread for each
 * worker that does not answer by UDP.
 */
public final class ClockWatch implements AutoCloseable {

    /** Time without an answer by UDP after which a worker is asked over its other connection. */
    private static final long SILENCE_NS = 1_000_000_000L;

    /** Interval between two pairs of probes of one clock. */
    private static final long INTERVAL_NS = 200_000_000;

    /**
     * Shortest interval between two pairs of any clocks: more than 250 probes per second would take more than 2 % of a
     * core.
     */
    private static final long INTERVAL_OF_ALL_NS = 8_000_000;

    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final long PAUSE_AFTER_ERROR_NS = 10_000_000;

    private final LongSupplier clock;
    private final long silenceNs;
    // With a selector a probe takes three system calls. A socket with a timeout takes eight, and twice the processor
    // time.
    private final DatagramChannel channel;
    private final Selector selector;

    private final SecureRandom random = new SecureRandom();

    // A map, since searching all clocks for each answer would make the cost grow with the square of their number.
    private final Map<Long, WatchedClock> bySession = new ConcurrentHashMap<>();

    /** Clocks that the thread has not visited yet. */
    private final Queue<WatchedClock> added = new ConcurrentLinkedQueue<>();

    /** Used by the watch's thread only. */
    private final PriorityQueue<Visit> visits = new PriorityQueue<>((a, b) -> Long.signum(a.atNs - b.atNs));

    /** The time of the next visit of a clock, by {@link System#nanoTime()}. */
    private record Visit(long atNs, WatchedClock watched) {}

    private ClockWatch(LongSupplier clock, long silenceNs) throws IOException {
        this.clock = clock;
        this.silenceNs = silenceNs;
        this.channel = DatagramChannel.open();
        this.selector = Selector.open();
        channel.bind(null);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    /**
     * Starts a watch and opens a port for the answers.
     *
     * @param clock the coordinator's clock, monotonic epoch nanoseconds
     */
    public static ClockWatch start(LongSupplier clock) throws IOException {
        return start(clock, SILENCE_NS);
    }

    static ClockWatch start(LongSupplier clock, long silenceNs) throws IOException {
        ClockWatch watch = new ClockWatch(clock, silenceNs);
        Thread thread = new Thread(watch::run, "clock-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    /**
     * Watches the clock of another worker, from now until the returned clock is closed.
     *
     * @param name the name of the worker
     * @param address the address of its {@link ProbeResponder}
     * @param key the key of the session, 32 bytes
     * @param exchange the way to ask it if no answer arrives by UDP
     * @throws IllegalArgumentException if the address has no IP address or the key has another length
     */
    public WatchedClock watch(String name, InetSocketAddress address, byte[] key, ProbeExchange exchange) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("No IP address is known for " + address);
        }
        WatchedClock.Target target = new WatchedClock.Target(name, address, key, exchange);
        WatchedClock watched = new WatchedClock(target, random.nextLong(), clock, silenceNs);
        bySession.put(watched.session(), watched);
        added.add(watched);
        return watched;
    }

    private void run() {
        ProbeDatagram answer = new ProbeDatagram();
        while (selector.isOpen()) {
            for (WatchedClock watched = added.poll(); watched != null; watched = added.poll()) {
                visits.add(new Visit(System.nanoTime(), watched));
            }
            receive(answer, pay(System.nanoTime()));
        }
    }

    /** Performs the visits that are due, and returns the time of the next one. */
    private long pay(long nowNs) {
        long latestNs = nowNs + LONGEST_WAIT_NS;
        Visit next = visits.peek();
        while (next != null && next.atNs - nowNs <= 0) {
            visits.remove();
            if (next.watched.isClosed()) {
                bySession.remove(next.watched.session());
            } else {
                visits.add(new Visit(next.watched.work(channel, nowNs, intervalNs()), next.watched));
            }
            next = visits.peek();
        }
        return next == null || next.atNs - latestNs > 0 ? latestNs : next.atNs;
    }

    private long intervalNs() {
        return Math.max(INTERVAL_NS, bySession.size() * INTERVAL_OF_ALL_NS);
    }

    /** Waits for one answer until something is due. The answer may make the next probe of its worker due at once. */
    private void receive(ProbeDatagram answer, long untilNs) {
        try {
            selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime())));
            selector.selectedKeys().clear();
            ByteBuffer room = answer.toReceive();
            if (channel.receive(room) == null) {
                return;
            }
            long arrivedNs = clock.getAsLong();
            if (answer.looksLikeAnswer(room.position())) {
                WatchedClock watched = bySession.get(answer.session());
                if (watched != null && !watched.isClosed()) {
                    watched.answered(answer, arrivedNs);
                    watched.work(channel, System.nanoTime(), intervalNs());
                }
            }
        } catch (ClosedSelectorException e) {
            // The watch was closed.
        } catch (IOException e) {
            // Caused by closing, or by a network outage, in which an immediate retry would be useless.
            LockSupport.parkNanos(PAUSE_AFTER_ERROR_NS);
        }
    }

    /** Ends all probes. */
    @Override
    public void close() {
        try (selector;
                channel) {
            bySession.values().forEach(WatchedClock::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
