package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a {@link Relay}: the client's connection, the one to the node, and a delay line each way. A link
 * without a node echoes what it receives. Used by the relay's thread.
 */
final class Link {

    private final Relay.Route route;
    private final boolean echoes;
    private final SocketChannel client;
    private final SelectionKey clientKey;
    private final Selector selector;
    private final LinkDelay pace;
    private final DelayLine toNode = new DelayLine();
    private final DelayLine toClient = new DelayLine();

    /** Time at which a connection request and its answer would have passed. */
    private final long openNs;

    private @Nullable SocketChannel node;
    private @Nullable SelectionKey nodeKey;

    /**
     * Decides when bytes are due.
     *
     * @param nanoTime clock, as {@link System#nanoTime()}
     * @param halfNs current additional time that bytes take one way
     */
    record LinkDelay(LongSupplier nanoTime, ToLongFunction<Relay.Route> halfNs) {

        private long nowNs() {
            return nanoTime.getAsLong();
        }

        private long oneWayNs(Relay.Route route) {
            return halfNs.applyAsLong(route);
        }
    }

    /**
     * Creates a link for an accepted connection.
     *
     * @param echoes whether bytes are echoed instead of passed on
     */
    Link(Relay.Route route, boolean echoes, SocketChannel client, Selector selector, LinkDelay pace)
            throws IOException {
        this.route = route;
        this.echoes = echoes;
        this.client = client;
        this.selector = selector;
        this.pace = pace;
        this.openNs = pace.nowNs() + 2 * pace.oneWayNs(route);
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.clientKey = client.register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * Does what can be done now.
     *
     * @param scratch a buffer to read into
     * @return whether the link stays open
     */
    boolean work(ByteBuffer scratch) {
        try {
            long nowNs = pace.nowNs();
            if (node == null && !echoes && nowNs >= openNs) {
                open();
            }
            SocketChannel opened = node;
            if (opened != null && nodeKey != null && nodeKey.isConnectable()) {
                opened.finishConnect();
            }
            readAll(scratch, nowNs);
            if (opened != null && opened.isConnected()) {
                toNode.pass(opened, nowNs);
            }
            toClient.pass(client, nowNs);
            if (toClient.hasEnded() && (echoes || toNode.hasEnded())) {
                close(false);
                return false;
            }
            awaitMore();
            return true;
        } catch (IOException | CancelledKeyException e) {
            close(true);
            return false;
        }
    }

    private void open() throws IOException {
        SocketChannel opened = SocketChannel.open(StandardProtocolFamily.INET);
        node = opened;
        opened.configureBlocking(false);
        opened.setOption(StandardSocketOptions.IP_TOS, Relay.TYPE_OF_SERVICE);
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        opened.connect(new InetSocketAddress(Relay.HERE, route.port()));
        nodeKey = opened.register(selector, SelectionKey.OP_CONNECT, this);
    }

    private void readAll(ByteBuffer scratch, long nowNs) throws IOException {
        long oneWayNs = pace.oneWayNs(route);
        if (echoes) {
            read(client, toClient, scratch, nowNs + 2 * oneWayNs);
            return;
        }
        read(client, toNode, scratch, Math.max(nowNs, openNs) + oneWayNs);
        if (node != null && node.isConnected()) {
            read(node, toClient, scratch, nowNs + oneWayNs);
        }
    }

    private static void read(SocketChannel from, DelayLine line, ByteBuffer scratch, long dueNs) throws IOException {
        if (!line.wantsMore()) {
            return;
        }
        scratch.clear();
        int count = from.read(scratch);
        if (count < 0) {
            line.end(dueNs);
        } else if (count > 0) {
            line.add(scratch.flip(), dueNs);
        }
    }

    private void awaitMore() {
        DelayLine fromClient = echoes ? toClient : toNode;
        clientKey.interestOps((fromClient.wantsMore() ? SelectionKey.OP_READ : 0)
                | (toClient.isBlocked() ? SelectionKey.OP_WRITE : 0));
        if (nodeKey != null && node != null) {
            nodeKey.interestOps(
                    !node.isConnected()
                            ? SelectionKey.OP_CONNECT
                            : (toClient.wantsMore() ? SelectionKey.OP_READ : 0)
                                    | (toNode.isBlocked() ? SelectionKey.OP_WRITE : 0));
        }
    }

    /** Returns when the link has to act next, even if nothing arrives. */
    long nextNs() {
        long openingNs = node == null && !echoes ? openNs : DelayLine.NEVER;
        long sendingNs = node != null && node.isConnected() ? toNode.nextNs() : DelayLine.NEVER;
        return Math.min(openingNs, Math.min(sendingNs, toClient.nextNs()));
    }

    /** Closes both connections; a broken link is reset, as if by the other end. */
    void close(boolean broken) {
        close(client, broken);
        if (node != null) {
            close(node, broken);
        }
    }

    private static void close(SocketChannel channel, boolean broken) {
        try {
            if (broken) {
                // With a linger time of 0, closing sends a reset.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException e) {
            // The channel is closed already.
        }
    }
}
