package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.limits.Confinement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Starts RocketMQ: a name server and one broker, each in a JVM of its own. The broker also contains the proxy, so that
 * clients can speak gRPC: endpoint {@code grpc}.
 */
public final class RocketMqLocalBroker extends LocalBroker {

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

    private static final String SEND_THREADS = "sendMessageThreadPoolNums";
    private static final String QUEUE_WAIT = "waitTimeMillsInSendQueue";
    private static final String BUSY_TIMEOUT = "osPageCacheBusyTimeOutMills";

    /** Of ours, what decides about the numbers. */
    private static final List<String> TOLD = List.of(SEND_THREADS, QUEUE_WAIT, BUSY_TIMEOUT);

    private static final int MIB = 1024 * 1024;

    /** As found by the service loader. */
    public RocketMqLocalBroker() {
        super("rocketmq", Confinement.Kind.JVM, 9876);
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        if (options.nodes() != 1) {
            throw new LocalBrokerException(
                    "RocketMQ is started as one name server with one broker, without replicas: nodes must be 1, got "
                            + options.nodes());
        }
        JarSet jarSet = JarSet.ofResource(RocketMqLocalBroker.class, "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        List<Path> classPath = JvmNode.classPath(jars, RocketMqLocalBroker.class);
        ServerPorts ports =
                ServerPorts.free(options.place().address(), options.place().firstPort());
        String heap = options.heapOr(DEFAULT_HEAP);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            Map<String, Object> nameServer =
                    Map.of("bindAddress", ports.address().host(), "listenPort", ports.nameServer());
            Path file = launch.write(NAME_SERVER, "namesrv.conf", nameServer);
            launch.startIndispensable(new JvmNode(
                    NAME_SERVER,
                    NAME_SERVER_HEAP,
                    jvmOptions(file, List.of()),
                    classPath,
                    "org.apache.rocketmq.namesrv.NamesrvStartup",
                    List.of("-c", file.toString())));
            Path data = launch.folder(BROKER).resolve("data");
            Map<String, Object> config = brokerConfig(ports, data, options.settings());
            Path brokerFile = launch.write(BROKER, "broker.conf", config);
            Path readyFile = brokerFile.resolveSibling("ready");
            launch.start(new JvmNode(
                    BROKER,
                    heap,
                    jvmOptions(brokerFile, List.of(DIRECT_MEMORY)),
                    classPath,
                    BrokerNode.class.getName(),
                    List.of(
                            brokerFile.toString(),
                            ports.nameServerAddress(),
                            ports.grpcAddress(),
                            readyFile.toString())));
            launch.await("RocketMQ to be ready", START_LIMIT, () -> Files.exists(readyFile));
            Map<String, String> settings = new TreeMap<>();
            settings.put("mode", "one broker without replicas, proxy in the broker's process");
            settings.put("nodes", "1");
            settings.put("heap", heap);
            settings.put("gc", "G1");
            settings.put("data file system", launch.fileSystem());
            TOLD.forEach(key -> settings.put(key, String.valueOf(config.get(key))));
            settings.putAll(options.settings());
            return launch.complete(
                    jarSet.product(),
                    jarSet.version(),
                    List.of(ports.nameServerAddress()),
                    Map.of("grpc", List.of(ports.grpcAddress())),
                    settings);
        }
    }

    /** What the servers keep beside their data, they put below the home folders of RocketMQ and of the user. */
    private static List<String> jvmOptions(Path fileInFolder, List<String> more) {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.add("-Duser.home=" + fileInFolder.getParent());
        options.add("-Drocketmq.home.dir=" + fileInFolder.getParent());
        options.addAll(more);
        return options;
    }

    /** The broker's defaults but for addresses, the sizes of files, and what would make a small machine refuse messages. */
    static Map<String, Object> brokerConfig(ServerPorts ports, Path data, Map<String, String> overrides) {
        Map<String, Object> config = new TreeMap<>();
        config.put("brokerClusterName", "DefaultCluster");
        config.put("brokerName", "broker-a");
        config.put("namesrvAddr", ports.nameServerAddress());
        config.put("bindAddress", ports.address().host());
        config.put("brokerIP1", ports.address().host());
        // For replicas, of which there are none.
        config.put("brokerIP2", ListenAddress.LOOPBACK.host());
        config.put("listenPort", ports.broker());
        config.put("storePathRootDir", data);
        config.put("storePathCommitLog", data.resolve("commitlog"));
        // A run's data are small and thrown away; the defaults are 1 GiB for the log and 400 MB for the index.
        config.put("mappedFileSizeCommitLog", 128 * MIB);
        config.put("maxHashSlotNum", 500_000);
        config.put("maxIndexNum", 2_000_000);
        // A topic that was not created, or is deleted, shall not come into being by a message.
        config.put("autoCreateTopicEnable", false);
        // With more than one, messages that a producer has under way at the same time overtake each other.
        config.put(SEND_THREADS, 1);
        // By default the broker turns away what has waited for 200 ms, and everything while one write takes over 1 s,
        // which large messages do on a small machine.
        config.put(QUEUE_WAIT, 3_000);
        config.put(BUSY_TIMEOUT, 10_000);
        config.put("enableControllerMode", false);
        config.putAll(overrides);
        return config;
    }
}
