package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the processes of one RocketMQ. */
final class ServerProcesses {

    private static final String DEFAULT_HEAP = "512m";

    /** Small, since it keeps a table of one broker's topics. */
    private static final String NAME_SERVER_HEAP = "64m";

    /** Includes the controller, which has its own log. */
    private static final String CONTROLLER_HEAP = "128m";

    /** A server is ready after about 6 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    private static final String NAME_SERVER = "rocketmq-namesrv";
    private static final String BROKER = "rocketmq-broker";

    /** Options of RocketMQ's own start scripts, except those for a server with many processors and much memory. */
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

    /** Messages in transit to clients are off-heap, several of the largest at a time. */
    private static final String DIRECT_MEMORY = "-XX:MaxDirectMemorySize=1g";

    private static final String PROVIDERS = "org.apache.rocketmq.auth.authentication.provider.";

    private final BrokerLaunch launch;
    private final LocalBrokerOptions options;
    private final List<Path> classPath;
    private final ServerPorts ports;
    private final List<String> tls;

    /** Creates the processes without starting them. */
    ServerProcesses(BrokerLaunch launch, LocalBrokerOptions options, List<Path> classPath, ServerPorts ports)
            throws LocalBrokerException, InterruptedException {
        this.launch = launch;
        this.options = options;
        this.classPath = classPath;
        this.ports = ports;
        this.tls = tls(launch.credentials());
    }

    /** Returns the heap of each broker. */
    String heap() {
        return options.heapOr(DEFAULT_HEAP);
    }

    /** Starts a single broker, waits until it is ready, and returns its configuration. */
    Map<String, Object> startOne() throws LocalBrokerException, InterruptedException {
        startNameServer(NAME_SERVER_HEAP, ServerSettings.nameServer(ports));
        Map<String, Object> config = ServerSettings.broker(ports, data(BROKER), options.settings());
        config.putAll(login(launch.credentials()));
        awaitReady(List.of(startBroker(BROKER, config, List.of(ports.grpcAddress()))));
        return config;
    }

    /**
     * Starts brokers with the same messages, waits until all are in sync, and returns the configuration of the last
     * one. The first one is the master, since the others start only when it is ready.
     */
    Map<String, Object> startReplicas() throws LocalBrokerException, InterruptedException {
        startNameServer(CONTROLLER_HEAP, ServerSettings.controller(ports, data(NAME_SERVER)));
        Map<String, Object> config = Map.of();
        List<Path> starting = new ArrayList<>();
        for (int i = 0; i < ports.brokers().size(); i++) {
            String name = BROKER + "-" + (i + 1);
            config = ServerSettings.replica(ports, ports.brokers().get(i), data(name), options.settings());
            starting.add(startBroker(name, config, List.of()));
            if (i == 0) {
                awaitReady(starting);
            }
        }
        awaitReady(starting);
        return config;
    }

    private Path data(String node) throws LocalBrokerException {
        return launch.folder(node).resolve(BrokerLaunch.DATA);
    }

    private void startNameServer(String heap, Map<String, Object> config)
            throws LocalBrokerException, InterruptedException {
        Path file = launch.write(NAME_SERVER, "namesrv.conf", config);
        launch.startIndispensable(new JvmNode(
                NAME_SERVER,
                heap,
                jvmOptions(file, List.of()),
                classPath,
                "org.apache.rocketmq.namesrv.NamesrvStartup",
                List.of("-c", file.toString())));
    }

    /** Starts a broker and returns the file that it creates once it is ready. */
    private Path startBroker(String name, Map<String, Object> config, List<String> grpcAddress)
            throws LocalBrokerException, InterruptedException {
        Path file = launch.write(name, "broker.conf", config);
        Path readyFile = file.resolveSibling("ready");
        List<String> arguments =
                new ArrayList<>(List.of(file.toString(), ports.nameServerAddress(), readyFile.toString()));
        arguments.addAll(grpcAddress);
        launch.start(new JvmNode(
                name,
                heap(),
                jvmOptions(file, List.of(DIRECT_MEMORY)),
                classPath,
                BrokerNode.class.getName(),
                arguments));
        return readyFile;
    }

    private void awaitReady(List<Path> readyFiles) throws LocalBrokerException, InterruptedException {
        launch.await(
                "RocketMQ to be ready", START_LIMIT, () -> readyFiles.stream().allMatch(Files::exists));
    }

    /**
     * Returns the options of a server's JVM. Servers store files other than their data below the home folders of
     * RocketMQ and of the user.
     */
    private List<String> jvmOptions(Path fileInFolder, List<String> more) {
        List<String> all = new ArrayList<>(JVM_OPTIONS);
        all.add("-Duser.home=" + fileInFolder.getParent());
        all.add("-Drocketmq.home.dir=" + fileInFolder.getParent());
        all.addAll(more);
        all.addAll(tls);
        return all;
    }

    /** Returns the settings for one user, who may do everything and whose login the broker itself uses. */
    private static Map<String, String> login(Credentials credentials) {
        if (!credentials.login()) {
            return Map.of();
        }
        String user = Credentials.USER;
        String password = credentials.password();
        return Map.of(
                "authenticationEnabled", "true",
                "authenticationProvider", PROVIDERS + "DefaultAuthenticationProvider",
                "authenticationMetadataProvider", PROVIDERS + "LocalAuthenticationMetadataProvider",
                "initAuthenticationUser", "{\"username\":\"" + user + "\",\"password\":\"" + password + "\"}",
                "innerClientAuthenticationCredentials",
                        "{\"accessKey\":\"" + user + "\",\"secretKey\":\"" + password + "\"}");
    }

    /** Returns the options with which servers accept TLS only, and use it among themselves. */
    private static List<String> tls(Credentials credentials) {
        return !credentials.tls()
                ? List.of()
                : List.of(
                        "-Dtls.server.mode=enforcing",
                        "-Dtls.enable=true",
                        "-Dtls.test.mode.enable=false",
                        "-Dtls.server.certPath=" + credentials.brokerCertificate(),
                        "-Dtls.server.keyPath=" + credentials.brokerKey(),
                        "-Dtls.client.authServer=true",
                        "-Dtls.client.trustCertPath=" + credentials.trustedCertificates());
    }
}
