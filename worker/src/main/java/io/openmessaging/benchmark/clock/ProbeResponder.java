package io.openmessaging.benchmark.clock;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker's side of probing: it reports its clock to senders that have the session's key, and nothing to others. A
 * repeated question is answered again; the coordinator recognises the repetition by its number.
 *
 * <p>Thread-safe. It has one daemon thread, from {@link #open} to {@link #close}.
 */
public final class ProbeResponder implements AutoCloseable {

    private static final long PAUSE_AFTER_ERROR_NS = 10_000_000;

    private final DatagramSocket socket;
    private final LongSupplier clock;
    private volatile @Nullable ProbeSeal seal;
    private volatile long answered;
    private volatile long refused;

    private ProbeResponder(DatagramSocket socket, LongSupplier clock) {
        this.socket = socket;
        this.clock = clock;
    }

    /**
     * Starts to listen; no question is answered before {@link #answer(byte[])}.
     *
     * @param address the address to listen on; port 0 for any free port
     * @param clock monotonic epoch nanoseconds: the clock that stamps the worker's messages
     * @throws IOException if the port is in use or the address is not one of this machine
     */
    public static ProbeResponder open(InetSocketAddress address, LongSupplier clock) throws IOException {
        ProbeResponder responder = new ProbeResponder(new DatagramSocket(address), clock);
        Thread thread = new Thread(responder::serve, "clock-probes");
        thread.setDaemon(true);
        thread.start();
        return responder;
    }

    /** Returns the port on which it listens. */
    public int port() {
        return socket.getLocalPort();
    }

    /** From now on, answers questions under this session's key of 32 bytes, and no others. */
    public void answer(byte[] key) {
        seal = new ProbeSeal(key);
    }

    /** Answers no questions, because the session has ended. */
    public void answerNobody() {
        seal = null;
    }

    /** Returns the number of answered questions. */
    public long answered() {
        return answered;
    }

    /** Returns the number of datagrams that were not questions under the session's key. */
    public long refused() {
        return refused;
    }

    private void serve() {
        ProbeDatagram datagram = new ProbeDatagram();
        DatagramPacket packet = new DatagramPacket(datagram.bytes(), datagram.bytes().length);
        while (!socket.isClosed()) {
            try {
                packet.setLength(datagram.bytes().length);
                socket.receive(packet);
                serve(datagram, packet, clock.getAsLong());
            } catch (IOException e) {
                // Caused by closing, or by a network outage: the coordinator asks again.
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NS);
            }
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Only this thread counts.
    private void serve(ProbeDatagram datagram, DatagramPacket packet, long receivedNs) throws IOException {
        ProbeSeal current = seal;
        if (current == null || !datagram.isQuestion(packet.getLength(), current)) {
            refused++;
            return;
        }
        datagram.answer(receivedNs, clock.getAsLong(), current);
        packet.setLength(ProbeDatagram.BYTES);
        socket.send(packet);
        answered++;
    }

    @Override
    public void close() {
        socket.close();
    }
}
