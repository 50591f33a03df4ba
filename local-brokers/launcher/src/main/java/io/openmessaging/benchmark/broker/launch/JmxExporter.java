package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The exporter that tells heap and garbage collection of a node's JVM in the format of Prometheus: the same that users
 * attach to brokers elsewhere, so that both are read in one way.
 *
 * @param jar of the Java agent
 */
record JmxExporter(Path jar) {

    /** Without it a broker works as well, so nobody shall wait long for it. */
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(2);

    /**
     * No beans beyond those of the JVM, which the exporter reads by itself: going through all that a broker registers
     * would cost it many times the processor time.
     */
    private static final String RULES = "includeObjectNames: []\n";

    /** Fetches it on first use. */
    static JmxExporter fetched(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        JarSet set = JarSet.ofResource(JmxExporter.class, "jmx-exporter.pom.xml");
        List<Path> jars = new JarCache(options.home(), options.progress()).jars(set, FETCH_LIMIT);
        return new JmxExporter(jars.get(0).toAbsolutePath());
    }

    /**
     * What a node needs to know to run it.
     *
     * @param folder the node's own, where the exporter's configuration is written
     * @param address {@code host:port} where it is to answer
     */
    List<String> arguments(Path folder, String address) throws LocalBrokerException {
        Path rules = folder.resolve("jmx-exporter.yaml");
        try {
            Files.writeString(rules, RULES);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot write " + rules + ": " + e, e);
        }
        return List.of(jar.toString(), address + ":" + rules.toAbsolutePath());
    }
}
