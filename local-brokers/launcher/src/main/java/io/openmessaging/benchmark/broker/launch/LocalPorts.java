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

/** Finds TCP ports of this machine that nobody listens on. */
public final class LocalPorts {

    /**
     * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections: a client that
     * connects while the broker is still starting can neither take such a port away nor connect to itself.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int HIGHEST_PORT = 32_767;

    private static final int PORTS = HIGHEST_PORT - LOWEST_PORT + 1;

    /** Some programs take a port beside theirs without being told. Has no divisor with the number of ports. */
    private static final int STEP = 5;

    /**
     * The port to be tried next. Who got one may not listen on it yet, so that none is given away again before all the
     * others were. Each process begins anywhere and goes up: two that start brokers at the same time come by the same
     * port far less often than if each drew all of theirs.
     */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private LocalPorts() {}

    /**
     * What sockets are connected to or bound to.
     *
     * @param address {@code host:port}
     */
    public static InetSocketAddress socketAddress(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    /**
     * Whether somebody accepts connections. Asks by connecting: to try whether the port is free could take it away from a
     * broker that is about to use it.
     *
     * @param address {@code host:port}
     */
    public static boolean listens(String address) {
        try (Socket socket = new Socket()) {
            // A relay in front of a node accepts whether there is a node or not.
            socket.setTrafficClass(DelayNetwork.TRAFFIC_CLASS_PAST_IT);
            socket.connect(socketAddress(address));
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Different ports, all of them free at the same moment. They are not kept: another program may take one before the
     * broker does. This one does not give away again soon those that it chose itself.
     *
     * <p>All but the first one are free on loopback as well: a broker has more to listen for than clients.
     *
     * @param address where the first one listens
     * @param count how many
     * @param firstPort the first one wanted, or 0 for any
     * @throws LocalBrokerException if the first one is taken, or there are not enough
     */
    public static List<Integer> free(ListenAddress address, int count, int firstPort) throws LocalBrokerException {
        return free(address, count, firstPort, Map.of());
    }

    /**
     * As {@link #free(ListenAddress, int, int)}, and if the first port is chosen, others take the ports that clients look
     * for them on.
     *
     * @param usualPorts by place in the list, taken if they are free
     */
    public static List<Integer> free(ListenAddress address, int count, int firstPort, Map<Integer, Integer> usualPorts)
            throws LocalBrokerException {
        return free(address, count, firstPort, usualPorts, port -> isFree(ListenAddress.LOOPBACK, port));
    }

    /**
     * As {@link #free(ListenAddress, int, int, Map)}.
     *
     * @param isFreeOnLoopback the answer may be out of date at once: another program takes a port whenever it wants to
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

    /** Whether nobody listens on a port. */
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
            // A port that cannot be released shows when the broker tries to listen on it.
        }
    }
}
