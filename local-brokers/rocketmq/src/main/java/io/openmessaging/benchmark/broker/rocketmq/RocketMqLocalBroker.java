package io.openmessaging.benchmark.broker.rocketmq;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Starts RocketMQ: a name server and one broker, each in a JVM of its own. The broker also contains the proxy, so that
 * clients can speak gRPC: endpoint {@code grpc}.
 */
public final class RocketMqLocalBroker implements LocalBroker {

    private static final int USUAL_PORT = 9876;

    private static final String DEFAULT_HEAP = "512m";

    /** It keeps a table of one broker's topics. */
    private static final String NAME_SERVER_HEAP = "64m";

    /** Both are ready after some 6 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    private static final String NAME_SERVER = "rocketmq-namesrv";
    private static final String BROKER = "rocketmq-broker";

    /** Those of RocketMQ's own start scripts that do not speak of a server with many processors and much memory. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-server",
            "-XX:+UseG1GC",
            "-XX:G1ReservePercent=25",
            "-XX:InitiatingHeapOccupancyPercent=30",
            "-XX:SoftRefLRUPolicyMSPerMB=0",
            "-Djava.awt.headless=true",
            "-Drmq.logback.configurationFile=io/openmessaging/benchmark/broker/rocketmq/logback.xml",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");

    /** Off the heap go the messages on their way to clients, several of the largest at a time. */
    private static final String DIRECT_MEMORY = "-XX:MaxDirectMemorySize=1g";

    private static final int MIB = 1024 * 1024;

    @Override
    public String name() {
        return "rocketmq";
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
        if (options.nodes() != 1) {
            throw new LocalBrokerException(
                    "RocketMQ is started as one name server with one broker, without replicas: nodes must be 1, got "
                            + options.nodes(),
                    null);
        }
        JarSet jarSet = JarSet.ofResource(RocketMqLocalBroker.class, "jars.pom.xml");
        List<Path> classPath = new ArrayList<>(new JarCache(options.home(), options.progress()).jars(jarSet));
        classPath.add(JvmNode.home(RocketMqLocalBroker.class));
        ServerPorts ports = ServerPorts.free(options.firstPort());
        String heap = options.heapOr(DEFAULT_HEAP);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.start(nameServer(ports, launch.folder(NAME_SERVER), classPath));
            Path folder = launch.folder(BROKER);
            Path readyFile = folder.resolve("ready");
            Properties config = brokerConfig(ports, folder.resolve("data"), options.settings());
            launch.start(broker(ports, folder, config, readyFile, heap, classPath));
            launch.await("RocketMQ to be ready", START_LIMIT, () -> Files.exists(readyFile));
            return launch.complete(
                    jarSet.product(),
                    jarSet.version(),
                    List.of(ports.nameServerAddress()),
                    Map.of("grpc", List.of(ports.grpcAddress())),
                    settings(options, heap));
        }
    }

    private static JvmNode nameServer(ServerPorts ports, Path folder, List<Path> classPath)
            throws LocalBrokerException {
        Properties config = new Properties();
        config.setProperty("bindAddress", LoopbackPorts.HOST);
        config.setProperty("listenPort", Integer.toString(ports.nameServer()));
        Path file = write(config, folder.resolve("namesrv.conf"));
        return new JvmNode(
                NAME_SERVER,
                NAME_SERVER_HEAP,
                jvmOptions(folder),
                classPath,
                "org.apache.rocketmq.namesrv.NamesrvStartup",
                List.of("-c", file.toString()));
    }

    private static JvmNode broker(
            ServerPorts ports, Path folder, Properties config, Path readyFile, String heap, List<Path> classPath)
            throws LocalBrokerException {
        Path file = write(config, folder.resolve("broker.conf"));
        List<String> jvmOptions = jvmOptions(folder);
        jvmOptions.add(DIRECT_MEMORY);
        return new JvmNode(
                BROKER,
                heap,
                jvmOptions,
                classPath,
                BrokerNode.class.getName(),
                List.of(
                        file.toString(),
                        ports.nameServerAddress(),
                        Integer.toString(ports.grpc()),
                        readyFile.toAbsolutePath().toString()));
    }

    /** What the servers keep beside their data, they put below the home folders of RocketMQ and of the user. */
    private static List<String> jvmOptions(Path folder) {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.add("-Duser.home=" + folder.toAbsolutePath());
        options.add("-Drocketmq.home.dir=" + folder.toAbsolutePath());
        return options;
    }

    private static Path write(Properties config, Path file) throws LocalBrokerException {
        try (Writer writer = Files.newBufferedWriter(file)) {
            config.store(writer, null);
            return file.toAbsolutePath();
        } catch (IOException e) {
            throw new LocalBrokerException("cannot write " + file + ": " + e, e);
        }
    }

    /** The broker's defaults but for addresses, the sizes of files, and what would make a small machine refuse messages. */
    static Properties brokerConfig(ServerPorts ports, Path data, Map<String, String> overrides) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("brokerClusterName", "DefaultCluster");
        config.put("brokerName", "broker-a");
        config.put("namesrvAddr", ports.nameServerAddress());
        config.put("bindAddress", LoopbackPorts.HOST);
        config.put("brokerIP1", LoopbackPorts.HOST);
        config.put("brokerIP2", LoopbackPorts.HOST);
        config.put("listenPort", ports.broker());
        config.put("storePathRootDir", data.toAbsolutePath());
        config.put("storePathCommitLog", data.resolve("commitlog").toAbsolutePath());
        // A run's data are small and thrown away; the defaults are 1 GiB for the log and 400 MB for the index.
        config.put("mappedFileSizeCommitLog", 128 * MIB);
        config.put("maxHashSlotNum", 500_000);
        config.put("maxIndexNum", 2_000_000);
        // A topic that was not created, or is deleted, shall not come into being by a message.
        config.put("autoCreateTopicEnable", false);
        // With more than one, messages that a producer has under way at the same time overtake each other.
        config.put("sendMessageThreadPoolNums", 1);
        // By default the broker turns away what has waited for 200 ms, and everything while one write takes over 1 s,
        // which large messages do on a small machine.
        config.put("waitTimeMillsInSendQueue", 3_000);
        config.put("osPageCacheBusyTimeOutMills", 10_000);
        config.put("enableControllerMode", false);
        Properties properties = new Properties();
        config.forEach((key, value) -> properties.setProperty(key, value.toString()));
        overrides.forEach(properties::setProperty);
        return properties;
    }

    private static Map<String, String> settings(LocalBrokerOptions options, String heap) throws LocalBrokerException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("mode", "one broker without replicas, proxy in the broker's process");
        settings.put("nodes", "1");
        settings.put("heap", heap);
        settings.put("gc", "G1");
        settings.put("sendMessageThreadPoolNums", "1");
        settings.put("waitTimeMillsInSendQueue", "3000");
        settings.put("osPageCacheBusyTimeOutMills", "10000");
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
