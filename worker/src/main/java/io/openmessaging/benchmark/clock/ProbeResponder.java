package io.openmessaging.benchmark.clock;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker's end of probes: tells its clock to whoever has the session's key, and nothing to anybody else. A question
 * that is sent again is answered again; its number tells the coordinator.
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
     * Begins to listen; nobody is answered before {@link #answer(byte[])}.
     *
     * @param address where; port 0 for any that is free
     * @param clock epoch nanoseconds that never go back: the clock that stamps the worker's messages
     * @throws IOException if the port is taken or the address is none of this machine
     */
    public static ProbeResponder open(InetSocketAddress address, LongSupplier clock) throws IOException {
        ProbeResponder responder = new ProbeResponder(new DatagramSocket(address), clock);
        Thread thread = new Thread(responder::serve, "clock-probes");
        thread.setDaemon(true);
        thread.start();
        return responder;
    }

    /** The port on which it listens. */
    public int port() {
        return socket.getLocalPort();
    }

    /** Answers questions under this session's key, of 32 bytes, and no others, from now on. */
    public void answer(byte[] key) {
        seal = new ProbeSeal(key);
    }

    /** Answers nobody: the session has ended. */
    public void answerNobody() {
        seal = null;
    }

    /** How many questions were answered. */
    public long answered() {
        return answered;
    }

    /** How many datagrams were no questions under the session's key. */
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
                // Of closing, or of a network that is away: who asks asks again.
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
