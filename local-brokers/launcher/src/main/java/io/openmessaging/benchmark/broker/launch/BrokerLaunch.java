package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker being started. Used by one thread, as a resource of a try statement:
 *
 * <pre>{@code
 * try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
 *     launch.start(node);
 *     launch.await("node 1 to answer", limit, () -> answers());
 *     return launch.complete(product, version, addresses, settings);
 * }
 * }</pre>
 *
 * Leaving the statement without {@link #complete} kills every process started so far and removes the folder. The
 * processes end with this JVM, however that ends, until {@link #complete} has released those that are to outlive it.
 */
public final class BrokerLaunch implements AutoCloseable {

    private static final int POLL_MS = 10;

    private final LocalBrokerOptions options;
    private final NodeGroup nodes;
    private final Map<String, String> exporters = new LinkedHashMap<>();
    private @Nullable JmxExporter jmxExporter;
    private @Nullable String problem;
    private boolean completed;

    private BrokerLaunch(LocalBrokerOptions options) {
        this.options = options;
        this.nodes = new NodeGroup(options.folder());
    }

    /**
     * Creates the broker's folder.
     *
     * @throws LocalBrokerException if it cannot be created or holds something
     */
    public static BrokerLaunch begin(LocalBrokerOptions options) throws LocalBrokerException {
        Path folder = options.folder();
        try {
            Files.createDirectories(folder);
            try (Stream<Path> content = Files.list(folder)) {
                if (content.findAny().isPresent()) {
                    throw new LocalBrokerException("the folder for the broker's data is not empty: " + folder, null);
                }
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot create the folder for the broker's data: " + e, e);
        }
        return new BrokerLaunch(options);
    }

    /** Where a node has its files; created if it is not there yet. */
    public Path folder(String node) throws LocalBrokerException {
        try {
            return Files.createDirectories(options.folder().resolve(node));
        } catch (IOException e) {
            throw new LocalBrokerException("cannot create a folder for " + node + ": " + e, e);
        }
    }

    /**
     * Starts a node in its folder, with its log in there as well, and returns without waiting for it. If the options ask
     * for it, the node has an {@link #exporter}; if that cannot be had, the node starts without.
     */
    public void start(JvmNode node) throws LocalBrokerException, InterruptedException {
        Path folder = folder(node.name());
        List<String> exporter = options.exporter() ? exporterArguments(node.name(), folder) : List.of();
        nodes.add(NodeProcess.start(node, folder, options.folder(), exporter, options.confinement()));
    }

    private List<String> exporterArguments(String node, Path folder) throws LocalBrokerException, InterruptedException {
        if (jmxExporter == null && problem == null) {
            try {
                jmxExporter = JmxExporter.fetched(options);
            } catch (LocalBrokerException e) {
                problem = "heap and garbage collection of the broker are not known: " + firstLines(e);
                options.progress().accept(problem);
            }
        }
        if (jmxExporter == null) {
            return List.of();
        }
        String address = LoopbackPorts.HOST + ":" + LoopbackPorts.free(1, 0).get(0);
        exporter(node, address);
        return jmxExporter.arguments(folder, address);
    }

    /** What was in vain, and what the program that was to do it says first. */
    private static String firstLines(LocalBrokerException e) {
        return String.valueOf(e.getMessage())
                .lines()
                .limit(2)
                .map(String::strip)
                .collect(Collectors.joining(" "));
    }

    /** Notes that a node tells its figures to Prometheus at {@code http://address/metrics}. */
    public void exporter(String node, String address) {
        exporters.put(node, address);
    }

    /** Starts a node in its folder, with its log in there as well, and returns without waiting for it. */
    public void start(NativeNode node) throws LocalBrokerException {
        nodes.add(NodeProcess.start(node, folder(node.name()), options.folder(), options.confinement()));
    }

    /**
     * Waits until a condition holds.
     *
     * @param what what is awaited, as it goes into the sentence about a wait in vain
     * @throws LocalBrokerException as soon as a node has ended, or when the limit is over
     */
    public void await(String what, Duration limit, BooleanSupplier condition)
            throws LocalBrokerException, InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Optional<String> failure = nodes.failure();
            if (failure.isPresent()) {
                throw new LocalBrokerException(failure.get(), null);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new LocalBrokerException(
                        "waited " + limit.toSeconds() + " s for " + what + "; the logs say:\n" + logs(), null);
            }
            Thread.sleep(POLL_MS);
        }
    }

    private String logs() {
        StringBuilder logs = new StringBuilder();
        for (RunningBroker.Node node : nodes.describe()) {
            logs.append(node.name())
                    .append(":\n")
                    .append(LogEnd.cause(node.log()))
                    .append('\n');
        }
        return logs.toString().stripTrailing();
    }

    /** Hands over the started broker, which has no endpoints beyond its exporters; it is closed by its new owner from now on. */
    public RunningBroker complete(String product, String version, List<String> addresses, Map<String, String> settings)
            throws LocalBrokerException {
        return complete(product, version, addresses, Map.of(), settings);
    }

    /**
     * Hands over the started broker; it is closed by its new owner from now on.
     *
     * @param endpoints see {@link RunningBroker#endpoints()}; those of the exporters are added
     */
    public RunningBroker complete(
            String product,
            String version,
            List<String> addresses,
            Map<String, List<String>> endpoints,
            Map<String, String> settings)
            throws LocalBrokerException {
        if (options.lifetime() == Lifetime.UNTIL_STOPPED) {
            nodes.release();
        }
        completed = true;
        List<String> problems = problem == null ? List.of() : List.of(problem);
        return new StartedBroker(product, version, addresses, endpoints, settings, exporters, problems, nodes);
    }

    @Override
    public void close() {
        if (!completed) {
            nodes.end();
        }
    }
}
