package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker that is starting. Used by one thread, as a resource of a try statement:
 *
 * <pre>{@code
 * try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
 *     launch.write("node-1", "broker.conf", configuration);
 *     launch.start(node);
 *     launch.await("node 1 to answer", limit, () -> answers());
 *     return launch.complete(product, version, addresses, endpoints, settings);
 * }
 * }</pre>
 *
 * Leaving the statement without {@link #complete} kills every process started so far and removes the folder. The
 * processes end with this JVM, however it ends, until {@link #complete} has released those that must outlive it.
 */
public final class BrokerLaunch implements AutoCloseable {

    /** The subfolder of a node's folder in which the node stores its data: a disk of its own is mounted there. */
    public static final String DATA = "data";

    private static final int POLL_MS = 10;

    private final LocalBrokerOptions options;
    private final NodeGroup nodes;
    private final NodeFaults faults;
    private final Exporters exporters;
    private boolean onJvm;
    private boolean completed;
    private @Nullable Credentials credentials;

    private BrokerLaunch(LocalBrokerOptions options) {
        this.options = options;
        this.nodes = new NodeGroup(options.place().folder());
        this.faults = new NodeFaults(nodes, options.place().separation());
        this.exporters = new Exporters(options);
    }

    /**
     * Creates the broker's folder; only its owner can enter that of a broker with {@link LocalBrokerOptions.Security}.
     *
     * @throws LocalBrokerException if it cannot be created or is not empty
     */
    public static BrokerLaunch begin(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        BrokerLaunch launch = new BrokerLaunch(options);
        launch.faults.prepare();
        Path folder = options.place().folder();
        try {
            Files.createDirectories(folder);
            if (options.security().any()) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            }
            try (Stream<Path> content = Files.list(folder)) {
                if (content.findAny().isPresent()) {
                    throw new LocalBrokerException("the folder for the broker's data is not empty: " + folder);
                }
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot create the folder for the broker's data: " + e, e);
        }
        return launch;
    }

    /**
     * Refuses settings that are not the user's to choose.
     *
     * @param product the broker's product, for the message
     * @param chosen true for a key that each start chooses itself
     */
    public static void refuse(String product, Map<String, String> settings, Predicate<String> chosen)
            throws LocalBrokerException {
        for (String key : new TreeSet<>(settings.keySet())) {
            if (chosen.test(key)) {
                throw new LocalBrokerException(
                        "a local " + product + " chooses " + key + " itself; remove it from the settings");
            }
        }
    }

    /** Returns the absolute path of a node's folder; creates it if missing. */
    public Path folder(String node) throws LocalBrokerException {
        try {
            return Files.createDirectories(options.place().folder().resolve(node))
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new LocalBrokerException("cannot create a folder for " + node + ": " + e, e);
        }
    }

    /** Writes a file into a node's folder and returns its absolute path. */
    public Path write(String node, String fileName, String text) throws LocalBrokerException {
        return write(folder(node).resolve(fileName), text);
    }

    static Path write(Path file, String text) throws LocalBrokerException {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot write " + file + ": " + e, e);
        }
    }

    /** Writes a properties file into a node's folder and returns its absolute path. */
    public Path write(String node, String fileName, Map<String, ?> entries) throws LocalBrokerException {
        Properties properties = new Properties();
        entries.forEach((key, value) -> properties.setProperty(key, value.toString()));
        StringWriter text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return write(node, fileName, text.toString());
    }

    /**
     * Returns the credentials of broker and clients for the {@link LocalBrokerOptions.Security} of the options; the
     * first call creates them.
     */
    public Credentials credentials() throws LocalBrokerException, InterruptedException {
        if (credentials == null) {
            LocalBrokerOptions.Location place = options.place();
            credentials = Credentials.make(
                    place.folder().resolve("credentials"), place.address().host(), options.security());
        }
        return credentials;
    }

    /** Writes the driver file that connects to this broker if it has security, see {@link RunningBroker#driverFile}. */
    public void writeDriverFile(String text) throws LocalBrokerException {
        if (options.security().any()) {
            write(driverFile(), text);
        }
    }

    private Path driverFile() {
        return RunningBroker.driverFile(options.place().folder());
    }

    /** Returns the type of the file system that holds the broker's data; results name it. */
    public String fileSystem() throws LocalBrokerException {
        Path folder = options.place().folder();
        try {
            String type = Files.getFileStore(folder).type();
            long ownBytes = options.place().separation().diskBytes();
            return ownBytes == 0 ? type : "ext4 of " + ProcessLimit.memoryText(ownBytes) + " in a file on " + type;
        } catch (IOException e) {
            throw new LocalBrokerException("cannot determine the file system of " + folder + ": " + e, e);
        }
    }

    /**
     * Starts a node in its folder, with its log in the same folder, and returns without waiting for it. If the options
     * request it, the node has an {@link #exporter}; if that cannot be fetched, the node starts without it. Other nodes
     * that are started by this method continue if this one ends.
     */
    public void start(JvmNode node) throws LocalBrokerException, InterruptedException {
        start(node, true);
    }

    /** Starts a node without which the broker counts as failed. */
    public void startIndispensable(JvmNode node) throws LocalBrokerException, InterruptedException {
        start(node, false);
    }

    private void start(JvmNode node, boolean replaceable) throws LocalBrokerException, InterruptedException {
        onJvm = true;
        options.requireCurrent();
        start(node.process(folder(node.name()), exporters.arguments(node.name(), this)), replaceable);
    }

    /**
     * Starts a node in its folder, with its log in the same folder, and returns without waiting for it. Other nodes
     * that are started by this method continue if this one ends.
     */
    public void start(NativeNode node) throws LocalBrokerException, InterruptedException {
        start(node, true);
    }

    /** Starts a node without which the broker counts as failed. */
    public void startIndispensable(NativeNode node) throws LocalBrokerException, InterruptedException {
        start(node, false);
    }

    private void start(NativeNode node, boolean replaceable) throws LocalBrokerException, InterruptedException {
        NodeProcess.NodeFolders place =
                new NodeProcess.NodeFolders(folder(node.name()), options.place().folder(), replaceable);
        NodeProcess.Surroundings surroundings = NodeProcess.Surroundings.of(
                node.name(), place, options.confinement(), options.place().separation());
        boolean announced = false;
        try {
            faults.announce(node.name(), surroundings);
            announced = true;
        } finally {
            if (!announced) {
                surroundings.close();
            }
        }
        nodes.add(NodeProcess.startFirst(node, place, surroundings));
    }

    /**
     * Announces the ports of the address on which nodes will listen, for clients and for each other. Must be called
     * before the first node starts.
     */
    public void listensOn(List<Integer> ports) throws LocalBrokerException, InterruptedException {
        faults.listensOn(ports);
    }

    /** Notes that a node exports its metrics to Prometheus at {@code http://address/metrics}. */
    public void exporter(String node, String address) {
        exporters.add(node, address);
    }

    /**
     * Waits until a condition holds.
     *
     * @param what the condition in words, for the error message after a timeout
     * @throws LocalBrokerException as soon as a node has ended, or when the limit has passed
     */
    public void await(String what, Duration limit, BooleanSupplier condition)
            throws LocalBrokerException, InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Optional<String> failure = nodes.firstEnded();
            if (failure.isPresent()) {
                throw new LocalBrokerException(failure.get());
            }
            if (System.nanoTime() - deadlineNs > 0) {
                String logs = nodes.describe().stream()
                        .map(node -> "\n" + node.name() + ":\n" + LogEnd.cause(node.log()))
                        .collect(Collectors.joining());
                throw new LocalBrokerException(
                        "waited " + limit.toSeconds() + " s for " + what + "; the logs say:" + logs);
            }
            Thread.sleep(POLL_MS);
        }
    }

    /**
     * Hands over the started broker; its new owner closes it from now on. A broker without a driver file does not
     * support {@link LocalBrokerOptions.Security}; it is refused if security was requested, so that nobody takes it for
     * secured.
     *
     * @param endpoints see {@link RunningBroker#endpoints()}; those of the exporters are added
     * @param settings see {@link RunningBroker#settings()}; the user's own JVM options are added
     */
    public RunningBroker complete(
            String product,
            String version,
            List<String> addresses,
            Map<String, List<String>> endpoints,
            Map<String, String> settings)
            throws LocalBrokerException, InterruptedException {
        if (!Files.exists(driverFile())) {
            options.requireNoSecurity(product);
        }
        faults.check(nodes.servers());
        if (options.place().lifetime() == Lifetime.UNTIL_STOPPED) {
            nodes.release();
        }
        completed = true;
        Map<String, String> allSettings = new TreeMap<>(settings);
        if (onJvm && !JvmNode.userOptions().isEmpty()) {
            allSettings.put("jvm options", JvmNode.userOptions());
        }
        return new StartedBroker(product, version, addresses, endpoints, allSettings, exporters, nodes, faults);
    }

    @Override
    public void close() {
        if (!completed) {
            try {
                nodes.end();
            } finally {
                faults.close();
            }
        }
    }
}
