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
 * Passes connections on to the ports of nodes, and lets bytes that cross the way to a node that is further away take
 * longer, half of the delay in each direction. One thread, {@code relay}, does it all; other methods may be called by any.
 *
 * <p>The kernel answers requests for connections before the relay hears of them. So that they take as long as they would,
 * what is sent in a new connection waits for a round trip more.
 */
final class Relay implements AutoCloseable {

    static final String HERE = "127.0.0.1";

    /** By which its own connections are known to the firewall: a number that is for local use (RFC 2474, pool 2). */
    static final int DSCP = 43;

    /** The same, as sockets have it. */
    static final int TYPE_OF_SERVICE = DSCP << 2;

    private static final int SCRATCH_BYTES = 64 << 10;

    private static final int BACKLOG = 1024;

    /**
     * The way of a connection.
     *
     * @param origin the node that opened it; empty for all who are no node
     * @param port on which it is to arrive
     */
    record Route(String origin, int port) {}

    /**
     * A node that is further away.
     *
     * @param ports on which it listens
     * @param halfNs how much longer a byte takes from it or to it
     */
    record Further(String node, Set<Integer> ports, long halfNs) {

        /** What it adds to the way: nothing to what the node says to itself. */
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

    /** Begins, with nowhere to listen. */
    static Relay begin() throws IOException {
        return begin(System::nanoTime);
    }

    static Relay begin(LongSupplier nanoTime) throws IOException {
        Relay relay = new Relay(Selector.open(), nanoTime);
        relay.thread.start();
        return relay;
    }

    /** Listens on a port of its own for connections that are to take a route, and returns the port. */
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

    /** From now on these are further away, and no other. */
    void setFurther(List<Further> nodes) {
        further = List.copyOf(nodes);
    }

    /** What comes from a port is given back after the whole way, instead of passed on. */
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
            // It was closed, or the system has no more room for it: its connections break.
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
            // It has gone again.
        }
    }

    /** How many connections came so far. */
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
