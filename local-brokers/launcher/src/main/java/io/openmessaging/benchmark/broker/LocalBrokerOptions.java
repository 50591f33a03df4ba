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
 * Options for the start of a local broker.
 *
 * @param version the version of the broker
 * @param nodes the number of nodes, at least 1
 * @param jvm options of the nodes that are JVMs
 * @param settings entries of the broker's own configuration, which override those chosen for it; a local broker whose
 *     configuration is not a list of keys and values refuses keys that it does not know
 * @param confinement limits of each process of the broker
 * @param security what the broker requires of clients
 * @param place where the broker runs, and how long
 * @param progress receives a short sentence about each slow step, such as a download; called on the caller's thread
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

    /** The version of a broker to start. */
    public enum Version {
        /** The version that this project is tested with, fetched on first use. */
        CURRENT,
        /** The version that is installed on this machine, whichever it is. */
        SYSTEM
    }

    /**
     * What a broker requires of its clients. A broker that requires anything creates its own certificates and password,
     * and a driver file that connects to it.
     *
     * @param tls true if connections are encrypted
     * @param login true if clients have to log in
     */
    public record Security(boolean tls, boolean login) {

        /** No requirement. */
        public static final Security NONE = new Security(false, false);

        /** Returns whether there is any requirement. */
        public boolean any() {
            return tls || login;
        }
    }

    /**
     * Options of the nodes that are JVMs.
     *
     * @param heap heap of each node in the notation of {@code -Xmx}, such as {@code 512m}; null for the broker's
     *     default
     * @param exporter true if they export their heap and garbage collection to Prometheus; other nodes always do if the
     *     broker can. It costs a node about 0.1 % of a processor at one request per second
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
     * @param home the project's home folder, a checkout or an unpacked release; downloaded jars are kept there
     * @param folder a folder for this broker's data and logs, created by the call, removed by {@link
     *     RunningBroker#close()}; if it exists already, it must be empty
     * @param address the address at which clients reach the broker
     * @param firstPort the port of the first node, or 0 for a free one; the other nodes always get free ports
     * @param lifetime when the broker's processes end by themselves
     * @param separation what each node gets of its own, for faults that are injected later
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

        /** A location for a broker without faults. */
        public Location(Path home, Path folder, ListenAddress address, int firstPort, Lifetime lifetime) {
            this(home, folder, address, firstPort, lifetime, Separation.NONE);
        }

        /** A location on loopback. */
        public Location(Path home, Path folder, int firstPort, Lifetime lifetime) {
            this(home, folder, ListenAddress.LOOPBACK, firstPort, lifetime);
        }

        /** A location on a free port of loopback, for a broker that ends with the process that started it. */
        public Location(Path home, Path folder, Separation separation) {
            this(home, folder, ListenAddress.LOOPBACK, 0, Lifetime.WITH_STARTER, separation);
        }

        /** A location on a free port of loopback, for a broker that ends with the process that started it. */
        public Location(Path home, Path folder) {
            this(home, folder, 0, Lifetime.WITH_STARTER);
        }
    }

    private static final Pattern HEAP = Pattern.compile("[1-9]\\d*[kKmMgG]?");

    /** A JVM needs as much memory again as its heap: for buffers of its connections, its code and its threads. */
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
                "heap must not be larger than the memory limit"
                        + (memoryBytes == null ? "" : ", " + ProcessLimit.memoryText(memoryBytes)),
                heap);
        settings = Map.copyOf(settings);
    }

    /** Sets the current version, JVM nodes without an exporter, no limits and no security. */
    public LocalBrokerOptions(
            int nodes, @Nullable String heap, Map<String, String> settings, Location place, Consumer<String> progress) {
        this(Version.CURRENT, nodes, new Jvm(heap, false), settings, Confinement.NONE, Security.NONE, place, progress);
    }

    /**
     * Returns the heap of a JVM node: the requested one, else the broker's default, capped so that the memory limit
     * leaves room beside the heap.
     *
     * @param usualHeap the broker's default, in the notation of {@code -Xmx}
     */
    public String heapOr(String usualHeap) {
        return heapOr(usualHeap, HEAP_PARTS);
    }

    /**
     * Returns the heap of a JVM node that uses more memory beside its heap than most.
     *
     * @param parts the heap is at most the memory limit divided by this number
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
     * Refuses {@link Version#SYSTEM}, for a broker that is never the one installed on this machine.
     *
     * @throws LocalBrokerException if the user wants the installed one
     */
    public void requireCurrent() throws LocalBrokerException {
        if (version == Version.SYSTEM) {
            throw new LocalBrokerException("version: system is for RabbitMQ, Redis, Valkey and NATS; this broker always"
                    + " comes from its registry, in one version: leave it out");
        }
    }

    /**
     * Refuses security, for a broker that cannot be started with TLS or a login.
     *
     * @throws LocalBrokerException if the user wants either
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
        /** With the process that started them, even if that process is killed. */
        WITH_STARTER,
        /** When stopped by {@code bin/broker stop}. */
        UNTIL_STOPPED
    }
}
