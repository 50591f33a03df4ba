package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.faults.DelayNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** Finds TCP ports of this machine on which nobody listens. */
public final class LocalPorts {

    /**
     * Below the ports that Linux (from 32768) and macOS (from 49152) assign to outgoing connections: a client that
     * connects while the broker is still starting can neither take such a port nor connect to itself.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int HIGHEST_PORT = 32_767;

    private static final int PORTS = HIGHEST_PORT - LOWEST_PORT + 1;

    /**
     * Leaves gaps, since some programs also take a port near theirs without being configured to. Coprime with the
     * number of ports.
     */
    private static final int STEP = 5;

    /**
     * The next port to try. The owner of a port may not listen on it yet, so a port is not handed out again before all
     * others were. Each process starts at a random port and counts up: two processes that start brokers at the same
     * time collide far less often than if each drew all of its ports at random.
     */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private LocalPorts() {}

    /**
     * Parses an address for sockets to connect or bind to.
     *
     * @param address {@code host:port}
     */
    public static InetSocketAddress socketAddress(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    /**
     * Returns whether somebody accepts connections. Tests this by connecting: binding to the port could take it away
     * from a broker that is about to use it.
     *
     * @param address {@code host:port}
     */
    public static boolean listens(String address) {
        try (Socket socket = new Socket()) {
            // Bypasses a relay in front of a node, which accepts connections whether or not the node exists.
            socket.setTrafficClass(DelayNetwork.TRAFFIC_CLASS_PAST_IT);
            socket.connect(socketAddress(address));
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns different ports, all free at the same moment. They are not reserved: another program may take one before
     * the broker does. This process does not soon hand out again those that it chose itself.
     *
     * <p>All but the first one are free on loopback as well: a broker listens for more than clients.
     *
     * @param address the address on which the first one is free
     * @param count the number of ports
     * @param firstPort the required first port, or 0 for any
     * @throws LocalBrokerException if the first one is taken, or there are not enough
     */
    public static List<Integer> free(ListenAddress address, int count, int firstPort) throws LocalBrokerException {
        return free(address, count, firstPort, Map.of());
    }

    /**
     * Does the same as {@link #free(ListenAddress, int, int)}. If the first port is given, other ports are those on
     * which clients look for them by default.
     *
     * @param usualPorts default ports by index in the list, used if they are free
     */
    public static List<Integer> free(ListenAddress address, int count, int firstPort, Map<Integer, Integer> usualPorts)
            throws LocalBrokerException {
        return free(address, count, firstPort, usualPorts, port -> isFree(ListenAddress.LOOPBACK, port));
    }

    /**
     * Does the same as {@link #free(ListenAddress, int, int, Map)}.
     *
     * @param isFreeOnLoopback tests a port; the result may be outdated at once, since another program may take the port
     *     at any time
     */
    static List<Integer> free(
            ListenAddress address,
            int count,
            int firstPort,
            Map<Integer, Integer> usualPorts,
            IntPredicate isFreeOnLoopback)
            throws LocalBrokerException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            if (firstPort > 0) {
                held.add(listenOnFirst(address, firstPort));
            }
            while (held.size() < count) {
                int usualPort = firstPort > 0 ? usualPorts.getOrDefault(held.size(), 0) : 0;
                Optional<ServerSocket> usual =
                        usualPort > 0 ? listenIfFree(address, usualPort, isFreeOnLoopback) : Optional.empty();
                held.add(usual.isPresent() ? usual.get() : listenAnywhere(address, isFreeOnLoopback));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(LocalPorts::release);
        }
    }

    /** Returns whether nobody listens on a port. */
    public static boolean isFree(ListenAddress address, int port) {
        try {
            release(listen(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket listenOnFirst(ListenAddress address, int port) throws LocalBrokerException {
        try {
            return listen(address, port);
        } catch (IOException e) {
            throw new LocalBrokerException(
                    "cannot listen on " + address.withPort(port) + ": " + e.getMessage()
                            + "; stop the program that uses the port, or choose another port",
                    e);
        }
    }

    private static ServerSocket listenAnywhere(ListenAddress address, IntPredicate isFreeOnLoopback)
            throws LocalBrokerException {
        for (int attempt = 0; attempt < PORTS; attempt++) {
            int port = LOWEST_PORT + Math.floorMod(NEXT.getAndAdd(STEP), PORTS);
            Optional<ServerSocket> socket = listenIfFree(address, port, isFreeOnLoopback);
            if (socket.isPresent()) {
                return socket.get();
            }
        }
        throw new LocalBrokerException(
                "found no free port on " + address.host() + " between " + LOWEST_PORT + " and " + HIGHEST_PORT);
    }

    private static Optional<ServerSocket> listenIfFree(ListenAddress address, int port, IntPredicate isFreeOnLoopback) {
        if (!isFreeOnLoopback.test(port)) {
            return Optional.empty();
        }
        try {
            return Optional.of(listen(address, port));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ServerSocket listen(ListenAddress address, int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getByName(address.host()));
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // If a port cannot be released, the broker reports it when it tries to listen.
        }
    }
}
