package io.openmessaging.benchmark.faults;

import io.openmessaging.benchmark.faults.ConnectProbe.ConnectResult;
import io.openmessaging.benchmark.limits.SocketGroup;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node whose packets to and from others are all dropped silently. Its traffic to itself continues, as on a machine
 * whose cable is unplugged.
 *
 * <p>All nodes are on one machine, so the kernel has to tell them apart by socket. It marks what leaves a socket of the
 * node. At the receiving end it drops packets that have the mark and are for another socket, and packets that have no
 * mark and are for a socket of the node. The answer to the node's own connection request has no mark, since it is sent
 * before a socket exists at that end. It may pass, since the node's requests to others do not.
 */
public final class Isolation {

    /** A connection on this machine takes less than a millisecond. */
    private static final int SILENCE_MS = 300;

    /** Bits of a mark that remain beside a process id, which has 22 bits in the kernel, and a sign bit. */
    private static final int BITS_BELOW_PID = 9;

    private static final AtomicInteger ISOLATIONS = new AtomicInteger();

    private final Firewall firewall;
    private final Firewall.Table table;
    private final UndoGuard guard;

    private Isolation(Firewall firewall, Firewall.Table table, UndoGuard guard) {
        this.firewall = firewall;
        this.table = table;
        this.guard = guard;
    }

    /**
     * Isolates a node; returns once a connection to it and one from it got no answer.
     *
     * @param sockets of the node
     * @throws IOException if the node cannot be isolated; nothing is left behind then
     * @throws InterruptedException if interrupted; nothing is left behind then, either
     */
    public static Isolation begin(String node, SocketGroup sockets) throws IOException, InterruptedException {
        Set<Integer> ports = ListeningPorts.of(sockets.pids());
        if (ports.isEmpty()) {
            throw new IOException(node + " does not listen on any port: it is not running");
        }
        Firewall firewall = Firewall.ofThisMachine();
        Firewall.Table table = Firewall.table("inet", node);
        Isolation begun = new Isolation(firewall, table, UndoGuard.of(firewall.deletion(table)));
        boolean isolated = false;
        try {
            firewall.add(rules(table, sockets));
            requireSilence("to " + node, ConnectProbe.connectToAny(ports, SILENCE_MS));
            requireSilence("from " + node, connectFrom(sockets));
            isolated = true;
            return begun;
        } finally {
            if (!isolated) {
                begun.abandon();
            }
        }
    }

    /** Returns the rules for a node whose sockets are in a group. */
    static String rules(Firewall.Table table, SocketGroup sockets) {
        String ours = sockets.match();
        int mark = nextMark();
        return """
                table %1$s {
                    chain leaving {
                        type filter hook output priority -150; policy accept;
                        %2$s oifname != "lo" drop
                        %2$s meta mark set %3$d
                    }
                    chain arriving {
                        type filter hook input priority -150; policy accept;
                        meta mark %3$d %2$s accept
                        meta mark %3$d drop
                        tcp flags & (syn | ack) == (syn | ack) %2$s accept
                        %2$s drop
                    }
                }
                """.formatted(table, ours, mark);
    }

    /**
     * Returns a mark that is unique to the node, even among other harnesses on this machine: two isolated nodes are
     * isolated from each other, and each still reaches itself.
     */
    private static int nextMark() {
        int number = ISOLATIONS.incrementAndGet() & (1 << BITS_BELOW_PID) - 1;
        return (int) ProcessHandle.current().pid() << BITS_BELOW_PID | number;
    }

    private static void requireSilence(String which, ConnectResult outcome) throws IOException {
        if (outcome != ConnectResult.SILENCE) {
            throw new IOException(
                    "a connection " + which + " was " + (outcome == ConnectResult.THROUGH ? "made" : "refused")
                            + " although all packets should be dropped");
        }
    }

    /**
     * Makes sure that a process in the group can connect to this one, so that a later silence means something.
     *
     * @throws IOException if it cannot
     */
    public static void requireConnectionFrom(SocketGroup sockets) throws IOException, InterruptedException {
        ConnectResult outcome = connectFrom(sockets);
        if (outcome != ConnectResult.THROUGH) {
            throw new IOException("a process in its own control group cannot connect: " + outcome);
        }
    }

    private static ConnectResult connectFrom(SocketGroup sockets) throws IOException, InterruptedException {
        try (ServerSocket here = new ServerSocket(0, 1, InetAddress.getByName(Relay.HERE))) {
            List<String> java = new ArrayList<>(List.of(
                    "env",
                    "--unset=JAVA_TOOL_OPTIONS",
                    "--unset=JDK_JAVA_OPTIONS",
                    ProgramPath.ofThisJava("java"),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-XX:+PerfDisableSharedMem",
                    "-Xmx16m",
                    "-cp",
                    ProgramPath.ofClass(ConnectProbe.class).toString(),
                    ConnectProbe.class.getName(),
                    Relay.HERE,
                    Integer.toString(here.getLocalPort()),
                    Integer.toString(SILENCE_MS)));
            String told = Programs.run(sockets.entered(java), "");
            return ConnectResult.of(told)
                    .orElseThrow(() -> new IOException("the process that tries to connect reports: " + told));
        }
    }

    /** Lets packets pass again. */
    public void end() throws IOException, InterruptedException {
        try {
            firewall.delete(table);
        } catch (IOException e) {
            throw new IOException("the rules that isolated a node were removed too early: " + e.getMessage(), e);
        } finally {
            guard.release();
        }
    }

    /** Removes what was already set up. An interrupt is kept for later. */
    private void abandon() {
        boolean interrupted = Thread.interrupted();
        try {
            firewall.delete(table);
        } catch (IOException e) {
            // The rules were not added yet.
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            guard.release();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
