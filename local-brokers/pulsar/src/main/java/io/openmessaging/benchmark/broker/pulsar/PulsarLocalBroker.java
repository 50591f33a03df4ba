package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.JarCache;
import io.openmessaging.benchmark.broker.launch.JarSet;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import io.openmessaging.benchmark.limits.Confinement;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Starts Pulsar the way its standalone mode does: one process with a broker, its bookies and the metadata in RocksDB;
 * without functions, WebSocket and ZooKeeper. {@link LocalBrokerOptions#nodes()} is the number of bookies, so that
 * messages can be stored in several copies; the broker is always one.
 */
public final class PulsarLocalBroker implements LocalBroker {

    private static final int USUAL_PORT = 6650;

    private static final int USUAL_HTTP_PORT = 8080;

    private static final String HTTP = "http";

    private static final String NODE = "pulsar-1";

    private static final String DEFAULT_HEAP = "512m";

    /** Beside the heap there is twice as much direct memory, and the rest. */
    private static final int HEAP_PARTS = 4;

    /** It is ready after some 6 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    /** Those of Pulsar's own start script but for the garbage collector: its ZGC wants more processors and memory. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-server",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-Dpulsar.allocator.exit_on_oom=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.recycler.maxCapacityPerThread=4096",
            "-Djava.awt.headless=true",
            "-Dlog4j2.configurationFile=classpath:io/openmessaging/benchmark/broker/pulsar/log4j2.properties");

    private static final List<String> OPENED_PACKAGES = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.zip",
            "java.base/sun.net",
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.platform",
            "java.management/sun.management",
            "jdk.management/com.sun.management.internal");

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public Confinement.Kind kind() {
        return Confinement.Kind.JVM;
    }

    @Override
    public int usualPort() {
        return USUAL_PORT;
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        StandaloneConf.refuseFixed(options.settings());
        JarSet jarSet = JarSet.ofResource(PulsarLocalBroker.class, "jars.pom.xml");
        List<Path> jars = new JarCache(options.home(), options.progress()).jars(jarSet);
        StandalonePorts ports = StandalonePorts.free(options.firstPort(), USUAL_HTTP_PORT);
        MemorySize heap = MemorySize.parse(options.heapOr(DEFAULT_HEAP, HEAP_PARTS));
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            Path folder = launch.folder(NODE);
            Path file = folder.resolve("standalone.conf");
            write(StandaloneConf.of(ports, options.nodes(), heap.twice(), options.settings()), file);
            launch.start(node(file, folder, ports, options.nodes(), heap, jars));
            Readiness readiness = new Readiness(ports);
            launch.await("Pulsar to be ready", START_LIMIT, readiness::isReached);
            return launch.complete(
                    jarSet.product(),
                    jarSet.version(),
                    List.of(address(ports.client())),
                    Map.of(HTTP, List.of(address(ports.http()))),
                    settings(options, heap));
        }
    }

    private static String address(int port) {
        return LoopbackPorts.HOST + ":" + port;
    }

    private static void write(Properties conf, Path file) throws LocalBrokerException {
        try (Writer writer = Files.newBufferedWriter(file)) {
            conf.store(writer, null);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot write " + file + ": " + e, e);
        }
    }

    private static JvmNode node(
            Path conf, Path folder, StandalonePorts ports, int bookies, MemorySize heap, List<Path> jars) {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        // Messages are kept and sent outside of the heap; the ratio is that of Pulsar's own start script.
        options.add("-XX:MaxDirectMemorySize=" + heap.twice());
        OPENED_PACKAGES.forEach(name -> options.add("--add-opens=" + name + "=ALL-UNNAMED"));
        List<Path> classPath = new ArrayList<>(jars);
        classPath.add(JvmNode.home(PulsarLocalBroker.class));
        return new JvmNode(
                NODE,
                heap.toString(),
                options,
                classPath,
                "org.apache.pulsar.PulsarStandaloneStarter",
                List.of(
                        "--config",
                        conf.toAbsolutePath().toString(),
                        "--metadata-dir",
                        folder.resolve("metadata").toAbsolutePath().toString(),
                        "--bookkeeper-dir",
                        folder.resolve("bookkeeper").toAbsolutePath().toString(),
                        "--bookkeeper-port",
                        Integer.toString(ports.bookie()),
                        "--num-bookies",
                        Integer.toString(bookies),
                        "--no-functions-worker",
                        "--no-stream-storage"));
    }

    private static Map<String, String> settings(LocalBrokerOptions options, MemorySize heap)
            throws LocalBrokerException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("mode", "standalone, metadata in RocksDB");
        settings.put("bookies", Integer.toString(options.nodes()));
        settings.put("heap", heap.toString());
        settings.put("direct memory", heap.twice().toString());
        settings.put("gc", "G1");
        settings.put(StandaloneConf.JOURNAL_SYNC, StandaloneConf.JOURNAL_SYNC_DEFAULT);
        try {
            settings.put(
                    "data file system", Files.getFileStore(options.folder()).type());
        } catch (IOException e) {
            throw new LocalBrokerException("cannot tell the file system of " + options.folder() + ": " + e, e);
        }
        settings.putAll(options.settings());
        return settings;
    }
}
