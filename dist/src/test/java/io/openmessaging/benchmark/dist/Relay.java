package io.openmessaging.benchmark.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A path to a worker that takes longer one way than back: forwards TCP and UDP from a port of its own machine to the
 * same port of another one. It is a separate program, since it runs on another machine than the test.
 */
final class Relay {

    private static final int BUFFER_BYTES = 64 * 1024;

    /** Bytes in flight and the time they arrive, by {@link System#nanoTime}; the last parcel has no bytes. */
    private record Parcel(byte[] bytes, long dueNs) {
        void await() throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
        }
    }

    /** A receiver of parcels. */
    private interface Sink {
        void take(byte[] bytes) throws IOException;
    }

    private final InetAddress here;
    private final InetSocketAddress target;
    private final long delayNs;

    private Relay(InetAddress here, InetSocketAddress target, long delayNs) {
        this.here = here;
        this.target = target;
        this.delayNs = delayNs;
    }

    /**
     * Forwards until the process is ended.
     *
     * @param arguments own address, port on both machines, address of the other machine, delay of traffic to it in
     *     milliseconds, and whether to forward UDP at all
     */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        Relay relay = new Relay(
                InetAddress.getByName(arguments[0]),
                new InetSocketAddress(arguments[2], port),
                TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[3])));
        if (Boolean.parseBoolean(arguments[4])) {
            relay.forwardDatagrams();
        }
        relay.forwardConnections();
    }

    private void forwardConnections() throws IOException {
        try (ServerSocket server = new ServerSocket(target.getPort(), 50, here)) {
            System.out.println("ready");
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(target.getAddress(), target.getPort());
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                forward(near, far, delayNs);
                forward(far, near, 0);
            }
        }
    }

    private static void forward(Socket from, Socket to, long delayNs) throws IOException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        BlockingQueue<Parcel> road = road(bytes -> {
            out.write(bytes);
            if (bytes.length == 0) {
                to.shutdownOutput();
            }
        });
        thread(() -> {
            byte[] buffer = new byte[BUFFER_BYTES];
            int read = 0;
            while (read >= 0) {
                try {
                    read = in.read(buffer);
                } catch (SocketException e) {
                    read = -1;
                }
                road.add(new Parcel(Arrays.copyOf(buffer, Math.max(0, read)), System.nanoTime() + delayNs));
            }
        });
    }

    private void forwardDatagrams() throws IOException {
        // The socket stays open as long as the process lives.
        DatagramSocket near = new DatagramSocket(target.getPort(), here);
        Map<InetSocketAddress, BlockingQueue<Parcel>> roads = new ConcurrentHashMap<>();
        thread(() -> receive(near, (bytes, sender) -> {
            BlockingQueue<Parcel> road = roads.get(sender);
            if (road == null) {
                road = roadThereAndBack(near, sender);
                roads.put(sender, road);
            }
            road.add(new Parcel(bytes, System.nanoTime() + delayNs));
        }));
    }

    private BlockingQueue<Parcel> roadThereAndBack(DatagramSocket near, InetSocketAddress sender) throws IOException {
        DatagramSocket far = new DatagramSocket();
        thread(() -> receive(far, (answer, from) -> near.send(new DatagramPacket(answer, answer.length, sender))));
        return road(bytes -> far.send(new DatagramPacket(bytes, bytes.length, target)));
    }

    /** A handler of datagrams. */
    private interface Receiver {
        void got(byte[] bytes, InetSocketAddress sender) throws IOException;
    }

    private static void receive(DatagramSocket socket, Receiver receiver) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[BUFFER_BYTES], BUFFER_BYTES);
        while (true) {
            packet.setLength(BUFFER_BYTES);
            socket.receive(packet);
            receiver.got(
                    Arrays.copyOf(packet.getData(), packet.getLength()), (InetSocketAddress) packet.getSocketAddress());
        }
    }

    /** Hands over parcels in the order of the queue, each when it is due; an empty parcel is the last one. */
    private static BlockingQueue<Parcel> road(Sink sink) {
        BlockingQueue<Parcel> road = new LinkedBlockingQueue<>();
        thread(() -> {
            Parcel parcel;
            do {
                parcel = road.take();
                parcel.await();
                sink.take(parcel.bytes());
            } while (parcel.bytes().length > 0);
        });
        return road;
    }

    /** The work of a thread, which ends when it fails. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void thread(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                // One end has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
