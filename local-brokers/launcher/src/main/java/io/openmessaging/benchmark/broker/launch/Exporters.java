package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Addresses at which the nodes of one broker export their resource usage to Prometheus. Nodes on the JVM use the same
 * exporter that users attach to brokers elsewhere, so that both are read in the same way. It is fetched on first use;
 * if that fails, the broker starts without it. Used by one thread until the broker has started.
 */
final class Exporters {

    /** Short, since a broker also works without an exporter. */
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(2);

    /**
     * No beans beyond those of the JVM, which the exporter reads by itself: reading all beans that a broker registers
     * would cost many times the processor time.
     */
    private static final String RULES = "includeObjectNames: []\n";

    private static final List<String> NONE = List.of("", "");

    private final LocalBrokerOptions options;
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private @Nullable Path jar;
    private @Nullable String problem;

    Exporters(LocalBrokerOptions options) {
        this.options = options;
    }

    /** Notes that a node exports its metrics at {@code http://address/metrics}. */
    void add(String node, String address) {
        addresses.put(node, address);
    }

    /** Returns {@code host:port} by the node's name. */
    Map<String, String> addresses() {
        return Collections.unmodifiableMap(addresses);
    }

    /** Returns why nodes on the JVM have no exporter although one was requested; empty if they have one. */
    List<String> problems() {
        return problem == null ? List.of() : List.of(problem);
    }

    /**
     * Returns the parameters that a node on the JVM needs to run its exporter: the jar and the argument of the agent;
     * both are empty if it has none.
     *
     * @param launch writes the exporter's configuration into the node's folder
     */
    List<String> arguments(String node, BrokerLaunch launch) throws LocalBrokerException, InterruptedException {
        @Nullable Path agent = options.jvm().exporter() && problem == null ? fetched() : null;
        if (agent == null) {
            return NONE;
        }
        Path rules = launch.write(node, "jmx-exporter.yaml", RULES);
        String address = ListenAddress.LOOPBACK.withPort(
                LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0));
        add(node, address);
        return List.of(agent.toString(), address + ":" + rules);
    }

    private @Nullable Path fetched() throws InterruptedException {
        if (jar == null) {
            try {
                jar = JarSet.ofResource(Exporters.class, "jmx-exporter.pom.xml")
                        .fetched(options.place().home(), options.progress(), FETCH_LIMIT)
                        .get(0);
            } catch (LocalBrokerException e) {
                problem = "heap and garbage collection of the broker are not measured: " + firstLines(e);
                options.progress().accept(problem);
            }
        }
        return jar;
    }

    /** Returns what failed, and the first line of output of the program that failed. */
    private static String firstLines(LocalBrokerException e) {
        return String.valueOf(e.getMessage())
                .lines()
                .limit(2)
                .map(String::strip)
                .collect(Collectors.joining(" "));
    }
}
