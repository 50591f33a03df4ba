package io.openmessaging.benchmark.clock;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The coordinator's end of probes: keeps finding out how far the clocks of workers are from its own. What comes without the
 * seal of a worker's session, to no open question or a second time is passed over.
 *
 * <p>Thread-safe. It has one daemon thread and one socket for all workers, until closed, and one thread more for each worker
 * that does not answer by UDP.
 */
public final class ClockWatch implements AutoCloseable {

    /** Without an answer by UDP for so long, a worker is asked over its other connection. */
    private static final long SILENCE_NS = 1_000_000_000L;

    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final long PAUSE_AFTER_ERROR_NS = 10_000_000;

    private final LongSupplier clock;
    private final long silenceNs;
    private final DatagramSocket socket;
    private final List<WatchedClock> clocks = new CopyOnWriteArrayList<>();
    private final SecureRandom random = new SecureRandom();

    private ClockWatch(LongSupplier clock, long silenceNs) throws IOException {
        this.clock = clock;
        this.silenceNs = silenceNs;
        this.socket = new DatagramSocket();
    }

    /**
     * Opens a port for the answers.
     *
     * @param clock epoch nanoseconds that never go back: the coordinator's
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
     * Watches the clock of another worker, from now until it is closed.
     *
     * @param name of the worker
     * @param address of its {@link ProbeResponder}
     * @param key of the session, 32 bytes
     * @param exchange how to ask it where no answer comes by UDP
     * @throws IllegalArgumentException if the address has no IP address or the key another length
     */
    public WatchedClock watch(String name, InetSocketAddress address, byte[] key, ProbeExchange exchange) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("No IP address is known of " + address);
        }
        WatchedClock.Target target = new WatchedClock.Target(name, address, key, exchange);
        WatchedClock watched = new WatchedClock(target, random.nextLong(), clock, silenceNs);
        clocks.add(watched);
        return watched;
    }

    private void run() {
        ProbeDatagram datagram = new ProbeDatagram();
        DatagramPacket packet = new DatagramPacket(datagram.bytes(), datagram.bytes().length);
        while (!socket.isClosed()) {
            long nowNs = System.nanoTime();
            long nextNs = nowNs + LONGEST_WAIT_NS;
            for (WatchedClock watched : clocks) {
                if (watched.isClosed()) {
                    clocks.remove(watched);
                } else {
                    long dueNs = watched.work(socket, nowNs);
                    nextNs = dueNs - nextNs < 0 ? dueNs : nextNs;
                }
            }
            receive(datagram, packet, nextNs);
        }
    }

    /** Waits for one answer until something is due. */
    private void receive(ProbeDatagram datagram, DatagramPacket packet, long untilNs) {
        try {
            long waitMs = TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime());
            socket.setSoTimeout((int) Math.max(1, waitMs));
            packet.setLength(datagram.bytes().length);
            socket.receive(packet);
            long arrivedNs = clock.getAsLong();
            if (datagram.looksLikeAnswer(packet.getLength())) {
                for (WatchedClock watched : clocks) {
                    if (watched.session() == datagram.session()) {
                        watched.answered(datagram, arrivedNs);
                    }
                }
            }
        } catch (SocketTimeoutException e) {
            // Nothing came.
        } catch (IOException e) {
            // Of closing, or of a network that is away: then there is nothing to be had at once.
            LockSupport.parkNanos(PAUSE_AFTER_ERROR_NS);
        }
    }

    /** Ends all probes. */
    @Override
    public void close() {
        socket.close();
        clocks.forEach(WatchedClock::close);
    }
}
