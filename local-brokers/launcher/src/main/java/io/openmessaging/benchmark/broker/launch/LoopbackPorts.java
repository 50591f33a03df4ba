package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Finds TCP ports on 127.0.0.1 that nobody listens on. */
public final class LoopbackPorts {

    /** The address that all local brokers listen on. */
    public static final String HOST = "127.0.0.1";

    /**
     * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections: a client that
     * connects while the broker is still starting can neither take such a port away nor connect to itself.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int HIGHEST_PORT = 32_767;

    private static final int ATTEMPTS_PER_PORT = 200;

    /** A broker with many nodes has a few dozen, which it begins to use some seconds later. */
    private static final int REMEMBERED = 1_000;

    /** The latest ports that were given away, oldest first: who got one may not listen on it yet. */
    private static final Set<Integer> GIVEN = new LinkedHashSet<>();

    private LoopbackPorts() {}

    /**
     * Different ports, all of them free at the same moment. They are not kept: another program may take one before the
     * broker does. This one does not give them away again soon.
     *
     * @param count how many
     * @param firstPort the first one wanted, or 0 for any
     * @throws LocalBrokerException if the first one is taken, or there are not enough
     */
    public static List<Integer> free(int count, int firstPort) throws LocalBrokerException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            if (firstPort > 0) {
                held.add(listen(firstPort));
            }
            while (held.size() < count) {
                held.add(listenAnywhere());
            }
            List<Integer> ports = held.stream().map(ServerSocket::getLocalPort).toList();
            remember(ports);
            return ports;
        } catch (IOException e) {
            throw new LocalBrokerException(
                    "cannot listen on " + HOST + ":" + firstPort + ": " + e.getMessage()
                            + "; stop the program that uses the port, or choose another port",
                    e);
        } finally {
            held.forEach(LoopbackPorts::release);
        }
    }

    private static void remember(List<Integer> ports) {
        synchronized (GIVEN) {
            GIVEN.removeAll(ports);
            GIVEN.addAll(ports);
            while (GIVEN.size() > REMEMBERED) {
                GIVEN.remove(GIVEN.iterator().next());
            }
        }
    }

    private static boolean wasGiven(int port) {
        synchronized (GIVEN) {
            return GIVEN.contains(port);
        }
    }

    /** Whether nobody listens on a port. */
    public static boolean isFree(int port) {
        try {
            release(listen(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket listenAnywhere() throws LocalBrokerException {
        @Nullable IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS_PER_PORT; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
            if (!wasGiven(port)) {
                try {
                    return listen(port);
                } catch (IOException e) {
                    last = e;
                }
            }
        }
        throw new LocalBrokerException(
                "found no free port on " + HOST + " between " + LOWEST_PORT + " and " + HIGHEST_PORT, last);
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
            return socket;
        } catch (IOException e) {
            release(socket);
            throw e;
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // A port that cannot be released shows when the broker tries to listen on it.
        }
    }
}
