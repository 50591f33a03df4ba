package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a local broker is to be started.
 *
 * @param version which version of the broker
 * @param nodes how many nodes, at least 1
 * @param jvm for the nodes that are JVMs
 * @param settings entries of the broker's own configuration, which override those that are chosen for it; a local broker
 *     whose configuration is no list of keys and values refuses what it does not know
 * @param confinement what each process of the broker may use
 * @param security what it asks of clients
 * @param place where it runs, and how long
 * @param progress told in short sentences what takes time, such as a download; called on the thread of the call
 */
public record LocalBrokerOptions(
        Version version,
        int nodes,
        Jvm jvm,
        Map<String, String> settings,
        Confinement confinement,
        Security security,
        Location place,
        Consumer<String> progress) {

    /** Which version of a broker is started. */
    public enum Version {
        /** The one that this project has been tested with, fetched on first use. */
        CURRENT,
        /** The one that is installed on this machine, whatever that is. */
        SYSTEM
    }

    /**
     * What a broker asks of its clients. One that asks for something makes certificates and a password of its own, and a
     * driver file with which it is reached.
     *
     * @param tls whether connections are encrypted
     * @param login whether clients have to log in
     */
    public record Security(boolean tls, boolean login) {

        /** Nothing. */
        public static final Security NONE = new Security(false, false);

        /** Whether there is something. */
        public boolean any() {
            return tls || login;
        }
    }

    /**
     * What nodes that are JVMs get.
     *
     * @param heap the heap of each in the notation of {@code -Xmx}, such as {@code 512m}; null for the broker's default
     * @param exporter whether they tell their heap and garbage collection to Prometheus; other nodes do if the broker
     *     can. It costs a node some 0.1 % of a processor when it is asked once a second
     */
    public record Jvm(@Nullable String heap, boolean exporter) {

        /** Checks the heap. */
        public Jvm {
            require(heap == null || HEAP.matcher(heap).matches(), "heap must be a size such as 512m or 2g", heap);
        }
    }

    /**
     * Where a broker runs, and how long.
     *
     * @param home the project's home folder: a checkout or an unpacked release; where downloaded jars are kept
     * @param folder a folder for this broker's data and logs, created by the call, removed by {@link
     *     RunningBroker#close()}; if it exists already, it must be empty
     * @param address where clients reach it
     * @param firstPort the port of the first node, or 0 for a free one; the other nodes always get free ports
     * @param lifetime whether the broker ends with the process that started it
     * @param separation what each node gets of its own, for faults that come later
     */
    public record Location(
            Path home, Path folder, ListenAddress address, int firstPort, Lifetime lifetime, Separation separation) {

        /** Checks the port. */
        public Location {
            require(
                    firstPort >= 0 && firstPort <= HIGHEST_PORT,
                    "port must be between 0 and " + HIGHEST_PORT,
                    firstPort);
        }

        /** For a broker to which nothing is done. */
        public Location(Path home, Path folder, ListenAddress address, int firstPort, Lifetime lifetime) {
            this(home, folder, address, firstPort, lifetime, Separation.NONE);
        }

        /** On loopback. */
        public Location(Path home, Path folder, int firstPort, Lifetime lifetime) {
            this(home, folder, ListenAddress.LOOPBACK, firstPort, lifetime);
        }

        /** On a free port of loopback, with the process that started it. */
        public Location(Path home, Path folder, Separation separation) {
            this(home, folder, ListenAddress.LOOPBACK, 0, Lifetime.WITH_STARTER, separation);
        }

        /** On a free port of loopback, with the process that started it. */
        public Location(Path home, Path folder) {
            this(home, folder, 0, Lifetime.WITH_STARTER);
        }
    }

    private static final Pattern HEAP = Pattern.compile("[1-9]\\d*[kKmMgG]?");

    /** A JVM needs as much again beside its heap: the buffers of its connections, its code, its threads. */
    private static final int HEAP_PARTS = 2;

    private static final long BYTES_PER_MB = 1 << 20;

    private static final int HIGHEST_PORT = 65_535;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException with a sentence for the user if one is out of its range
     */
    public LocalBrokerOptions {
        require(nodes >= 1, "nodes must be at least 1", nodes);
        String heap = jvm.heap();
        Long memoryBytes = confinement.enforcement().asked().memoryBytes();
        require(
                heap == null || memoryBytes == null || ProcessLimit.memoryBytes(heap) <= memoryBytes,
                "heap must not be larger than the limit of memory"
                        + (memoryBytes == null ? "" : ", " + ProcessLimit.memoryText(memoryBytes)),
                heap);
        settings = Map.copyOf(settings);
    }

    /** The current version, nodes on the JVM without an exporter, and with as much of everything as there is. */
    public LocalBrokerOptions(
            int nodes, @Nullable String heap, Map<String, String> settings, Location place, Consumer<String> progress) {
        this(Version.CURRENT, nodes, new Jvm(heap, false), settings, Confinement.NONE, Security.NONE, place, progress);
    }

    /**
     * The heap of a node on the JVM: the one that was asked for, else the broker's default, but no more than leaves room
     * beside it within the limit of memory.
     *
     * @param usualHeap the broker's default, in the notation of {@code -Xmx}
     */
    public String heapOr(String usualHeap) {
        return heapOr(usualHeap, HEAP_PARTS);
    }

    /**
     * The heap of a node on the JVM that uses more beside it than most.
     *
     * @param parts the heap is at most one of so many parts of the limit of memory
     */
    public String heapOr(String usualHeap, int parts) {
        String heap = jvm.heap();
        if (heap != null) {
            return heap;
        }
        Long memoryBytes = confinement.enforcement().asked().memoryBytes();
        return memoryBytes != null && memoryBytes / parts < ProcessLimit.memoryBytes(usualHeap)
                ? memoryBytes / parts / BYTES_PER_MB + "m"
                : usualHeap;
    }

    /**
     * For a broker that never is the one installed on this machine.
     *
     * @throws LocalBrokerException if the user wants that one
     */
    public void requireCurrent() throws LocalBrokerException {
        if (version == Version.SYSTEM) {
            throw new LocalBrokerException("version: system is for RabbitMQ, Redis and Valkey; this broker always comes"
                    + " from its registry, in one version: leave it out");
        }
    }

    /**
     * For a broker that cannot be started with TLS or a login.
     *
     * @throws LocalBrokerException if the user wants that
     */
    public void requireNoSecurity(String product) throws LocalBrokerException {
        if (security.any()) {
            throw new LocalBrokerException(product + " cannot be started with --tls or --auth; leave them out");
        }
    }

    private static void require(boolean holds, String rule, @Nullable Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + value);
        }
    }

    /** When a broker's processes end by themselves. */
    public enum Lifetime {
        /** With the process that started them, even when that one is killed. */
        WITH_STARTER,
        /** When stopped by {@code bin/broker stop}. */
        UNTIL_STOPPED
    }
}
