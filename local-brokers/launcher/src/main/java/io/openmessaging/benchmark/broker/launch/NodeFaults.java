package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.faults.DelayNetwork;
import io.openmessaging.benchmark.faults.FaultTools;
import io.openmessaging.benchmark.faults.Isolation;
import io.openmessaging.benchmark.faults.OwnDisk;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.limits.SocketGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Injects faults into the network and the disks of a broker's nodes. Thread-safe. */
final class NodeFaults {

    private final NodeGroup nodes;
    private final Separation separation;
    private final Map<String, Isolation> isolated = new LinkedHashMap<>();
    private @Nullable DelayNetwork relay;

    /** Creates the faults of a broker that starts with this separation. */
    NodeFaults(NodeGroup nodes, Separation separation) {
        this.nodes = nodes;
        this.separation = separation;
    }

    /** An operation that the kernel may refuse. */
    private interface Act<T> {
        T done() throws IOException, InterruptedException;
    }

    private static <T> T act(String what, Act<T> act) throws LocalBrokerException, InterruptedException {
        try {
            return act.done();
        } catch (IOException e) {
            throw new LocalBrokerException(what + ": " + e.getMessage(), e);
        }
    }

    /** Removes firewall rules that ended runs have left behind. Called before anything starts. */
    void prepare() throws LocalBrokerException, InterruptedException {
        if (separation.sockets()) {
            act("rules of runs that have ended cannot be removed", () -> {
                FaultTools.sweep();
                return true;
            });
        }
    }

    /** Opens the relay for the ports on which nodes will listen. Called before the first node starts. */
    synchronized void listensOn(List<Integer> ports) throws LocalBrokerException, InterruptedException {
        if (separation.relay()) {
            relay = act("no relay can be put in front of the nodes", () -> DelayNetwork.open(ports));
        }
    }

    /** Redirects the connections of a node to the relay. Called before the node starts. */
    synchronized void announce(String node, NodeProcess.Surroundings surroundings)
            throws LocalBrokerException, InterruptedException {
        DelayNetwork open = relay;
        if (open != null) {
            SocketGroup sockets = surroundings.sockets().orElseThrow();
            act("connections of " + node + " cannot be redirected to the relay", () -> {
                open.add(node, sockets);
                return true;
            });
        } else if (separation.relay()) {
            throw new LocalBrokerException(node + " cannot be delayed: its ports are not known");
        }
    }

    /**
     * Verifies that processes in the socket groups of nodes can connect as well as others. Called when all nodes have
     * started.
     */
    void check(List<String> servers) throws LocalBrokerException, InterruptedException {
        for (String node : separation.sockets() ? servers : List.<String>of()) {
            act(node + " cannot be isolated", () -> {
                Isolation.requireConnectionFrom(sockets(node));
                return true;
            });
        }
    }

    private SocketGroup sockets(String node) throws IOException {
        return present(nodes.process(node).surroundings().sockets());
    }

    private static OwnDisk disk(NodeProcess process) throws IOException {
        return present(process.surroundings().disk());
    }

    private static <T> T present(Optional<T> part) throws IOException {
        return part.orElseThrow(() -> new IOException("the broker was not started for that"));
    }

    synchronized void isolate(String node) throws LocalBrokerException, InterruptedException {
        isolated.put(node, act(node + " cannot be isolated", () -> Isolation.begin(node, sockets(node))));
    }

    synchronized void join(String node) throws LocalBrokerException, InterruptedException {
        Isolation begun = isolated.remove(node);
        if (begun != null) {
            act(node, () -> {
                begun.end();
                return true;
            });
        }
    }

    synchronized Duration delay(String node, Duration by) throws LocalBrokerException, InterruptedException {
        DelayNetwork open = relay;
        return act(node + " cannot be delayed", () -> {
            if (open == null) {
                throw new IOException("the broker was not started for that");
            }
            return open.delay(node, sockets(node), by);
        });
    }

    synchronized void endDelay(String node) {
        if (relay != null) {
            relay.endDelay(node);
        }
    }

    /** From here on, the node may end: some systems do so rather than continue without a disk. */
    synchronized void fillDisk(String node) throws LocalBrokerException, InterruptedException {
        NodeProcess process = nodes.process(node);
        process.mayEnd(true);
        boolean full = false;
        try {
            act("the disk of " + node + " cannot be filled", () -> {
                disk(process).fill(process.describe().pid());
                return true;
            });
            full = true;
        } finally {
            process.mayEnd(full);
        }
    }

    /**
     * Makes room on the node's disk. Returns whether the node had ended; its restart then removes what filled the disk.
     */
    synchronized boolean freeDisk(String node) throws LocalBrokerException, InterruptedException {
        NodeProcess process = nodes.process(node);
        if (process.runs()) {
            process.mayEnd(false);
            act("no space can be freed on the disk of " + node, () -> {
                disk(process).free(process.describe().pid());
                return true;
            });
            return false;
        }
        process.abandon();
        nodes.startAgain(node);
        return true;
    }

    /** Removes all faults. Called when the nodes have ended. */
    synchronized void close() {
        try {
            for (String node : List.copyOf(isolated.keySet())) {
                join(node);
            }
            if (relay != null) {
                relay.close();
                relay = null;
            }
        } catch (LocalBrokerException | IOException e) {
            throw new IllegalStateException("a firewall rule cannot be removed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            // Guards remove the rest when this JVM ends.
            Thread.currentThread().interrupt();
        }
    }
}
