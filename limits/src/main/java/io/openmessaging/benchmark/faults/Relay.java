package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Passes connections on to the ports of nodes, and delays bytes to or from a node that is further away by half of the
 * delay in each direction. One thread, {@code relay}, does all the work; any thread may call the other methods.
 *
 * <p>The kernel answers connection requests before the relay sees them. So that they take as long as they would with a
 * real delay, bytes sent in a new connection wait for one round trip more.
 */
final class Relay implements AutoCloseable {

    static final String HERE = "127.0.0.1";

    /** Marks the relay's own connections for the firewall: a number for local use (RFC 2474, pool 2). */
    static final int DSCP = 43;

    /** The DSCP in the form that sockets use. */
    static final int TYPE_OF_SERVICE = DSCP << 2;

    private static final int SCRATCH_BYTES = 64 << 10;

    private static final int BACKLOG = 1024;

    /**
     * The route of a connection.
     *
     * @param origin the node that opened it; empty for clients
     * @param port destination port
     */
    record Route(String origin, int port) {}

    /**
     * A node that is further away.
     *
     * @param ports on which it listens
     * @param halfNs additional time of a byte from it or to it
     */
    record Further(String node, Set<Integer> ports, long halfNs) {

        /** Returns the time that the node adds to the route; 0 for its connections to itself. */
        private long onTheWay(Route route) {
            return route.origin().equals(node) != ports.contains(route.port()) ? halfNs : 0;
        }
    }

    private final Selector selector;
    private final LongSupplier nanoTime;
    private final Thread thread;
    private final Set<Integer> echoed = ConcurrentHashMap.newKeySet();
    private final Set<Link> links = new HashSet<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile List<Further> further = List.of();

    private Relay(Selector selector, LongSupplier nanoTime) {
        this.selector = selector;
        this.nanoTime = nanoTime;
        this.thread = new Thread(this::run, "relay");
        thread.setDaemon(true);
    }

    /** Starts a relay that does not listen anywhere yet. */
    static Relay begin() throws IOException {
        return begin(System::nanoTime);
    }

    static Relay begin(LongSupplier nanoTime) throws IOException {
        Relay relay = new Relay(Selector.open(), nanoTime);
        relay.thread.start();
        return relay;
    }

    /** Listens on a new port for connections with this route; returns the port. */
    int listen(Route route) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET);
        try {
            server.bind(new InetSocketAddress(InetAddress.getByName(HERE), 0), BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT, route);
            selector.wakeup();
            return ((InetSocketAddress) server.getLocalAddress()).getPort();
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Replaces the set of nodes that are further away. */
    void setFurther(List<Further> nodes) {
        further = List.copyOf(nodes);
    }

    /** Echoes the next connection from a port, after the delay both ways, instead of passing it on. */
    void echo(int fromPort) {
        echoed.add(fromPort);
    }

    private long halfNs(Route route) {
        long sumNs = 0;
        for (Further node : further) {
            sumNs += node.onTheWay(route);
        }
        return sumNs;
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                long nextNs = nextNs();
                long leftNs = nextNs - nanoTime.getAsLong();
                if (nextNs == DelayLine.NEVER) {
                    selector.select(this::happened);
                } else if (leftNs <= 0) {
                    selector.selectNow(this::happened);
                } else {
                    selector.select(this::happened, Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
                }
                workOnDue();
            }
        } catch (IOException | ClosedSelectorException e) {
            // The relay was closed, or the system has no resources left for it: its connections break.
        } finally {
            links.forEach(link -> link.close(true));
        }
    }

    private long nextNs() {
        return links.stream().mapToLong(Link::nextNs).min().orElse(DelayLine.NEVER);
    }

    private void workOnDue() {
        long nowNs = nanoTime.getAsLong();
        links.removeIf(link -> link.nextNs() <= nowNs && !link.work(scratch));
    }

    private void happened(SelectionKey key) {
        if (key.attachment() instanceof Link link) {
            if (!link.work(scratch)) {
                links.remove(link);
            }
        } else if (key.attachment() instanceof Route route) {
            accept((ServerSocketChannel) key.channel(), route);
        }
    }

    private void accept(ServerSocketChannel server, Route route) {
        try {
            SocketChannel client = server.accept();
            if (client == null) {
                return;
            }
            int from = ((InetSocketAddress) client.getRemoteAddress()).getPort();
            Link link =
                    new Link(route, echoed.remove(from), client, selector, new Link.LinkDelay(nanoTime, this::halfNs));
            if (link.work(scratch)) {
                links.add(link);
            }
            accepted.incrementAndGet();
        } catch (IOException e) {
            // The client has disconnected.
        }
    }

    /** Returns the number of connections accepted so far. */
    int accepted() {
        return accepted.get();
    }

    /** Breaks all connections. */
    @Override
    public void close() throws IOException {
        for (SelectionKey key : Set.copyOf(selector.keys())) {
            if (key.channel() instanceof ServerSocketChannel server) {
                server.close();
            }
        }
        selector.close();
    }
}
