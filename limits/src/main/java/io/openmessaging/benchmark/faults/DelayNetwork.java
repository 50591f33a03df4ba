package io.openmessaging.benchmark.faults;

import io.openmessaging.benchmark.limits.SocketGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A relay in front of the nodes of a broker, from before their start until after their end. A table of nftables
 * redirects every connection to one of their ports, from a client or from another node, to the relay. Only connections
 * with the relay's own traffic class reach a node directly. Used by one thread at a time.
 */
public final class DelayNetwork implements AutoCloseable {

    /** Traffic class of sockets whose connections go straight to the node, as the relay's own do. */
    public static final int TRAFFIC_CLASS_PAST_IT = Relay.TYPE_OF_SERVICE;

    /** Time limit of a round trip through the relay, not counting the delay. */
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);

    private static final int ANY_BYTE = '\n';

    /** Origin of connections opened by clients. */
    private static final String CLIENTS = "";

    private final Firewall firewall;
    private final Firewall.Table table;
    private final UndoGuard guard;
    private final Relay relay;
    private final List<Integer> ports;
    private final Map<String, Relay.Further> further = new LinkedHashMap<>();

    private DelayNetwork(Firewall firewall, Firewall.Table table, UndoGuard guard, Relay relay, List<Integer> ports) {
        this.firewall = firewall;
        this.table = table;
        this.guard = guard;
        this.relay = relay;
        this.ports = ports;
    }

    /**
     * Puts a relay in front of loopback ports on which nobody listens yet.
     *
     * @throws IOException if that is not possible; nothing is left behind then
     */
    public static DelayNetwork open(List<Integer> ports) throws IOException, InterruptedException {
        Firewall firewall = Firewall.ofThisMachine();
        Firewall.Table table = Firewall.table("ip", "relay");
        Relay relay = Relay.begin();
        UndoGuard guard = UndoGuard.of(firewall.deletion(table));
        DelayNetwork network = new DelayNetwork(firewall, table, guard, relay, List.copyOf(ports));
        boolean opened = false;
        try {
            firewall.add(rules(table, network.turned(CLIENTS)));
            opened = true;
            return network;
        } finally {
            if (!opened) {
                relay.close();
                guard.release();
            }
        }
    }

    /** Returns the rules for connections of clients; rules for nodes are added later. */
    static String rules(Firewall.Table table, String turned) {
        return """
                table %s {
                    chain nodes {
                    }
                    chain leaving {
                        type nat hook output priority -100; policy accept;
                        ip dscp %d accept
                        jump nodes
                        %s
                    }
                }
                """.formatted(table, Relay.DSCP, turned);
    }

    /** Returns the part of a rule that redirects connections to the ports. */
    private String turned(String origin) throws IOException {
        List<String> elements = new ArrayList<>();
        for (int port : ports) {
            elements.add(port + " : " + relay.listen(new Relay.Route(origin, port)));
        }
        return turning(String.join(", ", elements));
    }

    static String turning(String elements) {
        return "ip daddr " + Relay.HERE + " meta l4proto tcp redirect to :tcp dport map { " + elements + " }";
    }

    /**
     * Lets the relay recognize connections that the node opens from now on. To be called before the node is started.
     */
    public void add(String node, SocketGroup sockets) throws IOException, InterruptedException {
        firewall.add("add rule " + table + " nodes " + sockets.match() + " " + turned(node) + "\n");
    }

    /**
     * Moves a node further away from all others; returns once a connection to it is measurably slow.
     *
     * @param sockets of the node
     * @param by additional time of a round trip
     * @return measured time of one round trip
     * @throws IOException if the round trip took less than that; the delay is removed then
     * @throws InterruptedException if interrupted; the delay is removed then, too
     */
    public Duration delay(String node, SocketGroup sockets, Duration by) throws IOException, InterruptedException {
        SortedSet<Integer> its = new TreeSet<>(ListeningPorts.of(sockets.pids()));
        its.retainAll(ports);
        if (its.isEmpty()) {
            throw new IOException(node + " does not listen on any port that has a relay in front");
        }
        further.put(node, new Relay.Further(node, its, by.toNanos() / 2));
        relay.setFurther(List.copyOf(further.values()));
        boolean slow = false;
        try {
            Duration took = roundTrip(new InetSocketAddress(Relay.HERE, its.first()), by);
            if (took.compareTo(by) < 0) {
                throw new IOException("a round trip to " + node + " took " + took.toNanos() / 1000
                        + " µs, although it should take " + by.toMillis() + " ms longer than before");
            }
            slow = true;
            return took;
        } finally {
            if (!slow) {
                endDelay(node);
            }
        }
    }

    /** Measures a round trip to the relay, which echoes the byte: a node does not, and would not understand it. */
    private Duration roundTrip(InetSocketAddress address, Duration by) throws IOException {
        int timeoutMs = (int) PROBE_LIMIT.plus(by.multipliedBy(2)).toMillis();
        try (Socket probe = new Socket()) {
            probe.setTcpNoDelay(true);
            probe.setSoTimeout(timeoutMs);
            probe.bind(new InetSocketAddress(Relay.HERE, 0));
            relay.echo(probe.getLocalPort());
            probe.connect(address, timeoutMs);
            long beginNs = System.nanoTime();
            probe.getOutputStream().write(ANY_BYTE);
            if (probe.getInputStream().read() != ANY_BYTE) {
                throw new IOException("the relay in front of " + address + " returns no data");
            }
            return Duration.ofNanos(System.nanoTime() - beginNs);
        }
    }

    /** Removes the delay of a node. */
    public void endDelay(String node) {
        further.remove(node);
        relay.setFurther(List.copyOf(further.values()));
    }

    /** Removes the rules and the relay; breaks connections that are still open. */
    @Override
    public void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            firewall.delete(table);
            guard.release();
        } catch (InterruptedException e) {
            // The guard tries again when this JVM ends.
            interrupted = true;
        } finally {
            relay.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
