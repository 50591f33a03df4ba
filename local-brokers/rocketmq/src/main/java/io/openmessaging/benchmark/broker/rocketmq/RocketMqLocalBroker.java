package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.limits.Confinement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Starts RocketMQ: a name server and one broker, each in its own JVM, or a name server with the controller and three
 * brokers that have the same messages. A single broker also contains the proxy, so that clients can use gRPC: endpoint
 * {@code grpc}.
 */
public final class RocketMqLocalBroker extends LocalBroker {

    /** A master and two slaves: with fewer, acknowledged messages have no second copy once one of them is gone. */
    private static final int REPLICAS = 3;

    private static final String PRODUCT = "Apache RocketMQ";

    /** Those of our settings that affect the results. */
    private static final List<String> TOLD = List.of(
            ServerSettings.SEND_THREADS,
            ServerSettings.QUEUE_WAIT,
            ServerSettings.BUSY_TIMEOUT,
            ServerSettings.ALL_IN_SYNC,
            ServerSettings.LEAST_IN_SYNC);

    /** For the service loader. */
    public RocketMqLocalBroker() {
        super("rocketmq", Confinement.ProcessType.JVM, 9876);
    }

    @Override
    public Offer offer() {
        return JarSet.ofResource(RocketMqLocalBroker.class, "jars.pom.xml").offer();
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        if (options.nodes() != 1 && options.nodes() != REPLICAS) {
            throw new LocalBrokerException(
                    "RocketMQ starts with one broker, or with a master and two slaves: nodes must be 1 or 3, got "
                            + options.nodes());
        }
        boolean replicated = options.nodes() > 1;
        if (replicated) {
            options.requireNoSecurity(PRODUCT + " with slaves, to which it sends messages unencrypted,");
        }
        JarSet jarSet = JarSet.ofResource(RocketMqLocalBroker.class, "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        List<Path> classPath = JvmNode.classPath(jars, RocketMqLocalBroker.class);
        ServerPorts ports =
                ServerPorts.free(options.place().address(), options.place().firstPort(), options.nodes());
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports.all());
            ServerProcesses servers = new ServerProcesses(launch, options, classPath, ports);
            Map<String, Object> config = replicated ? servers.startReplicas() : servers.startOne();
            launch.writeDriverFile(driverFile(launch.credentials(), ports));
            Map<String, String> settings = new TreeMap<>();
            settings.put(
                    "mode",
                    replicated
                            ? "a master and two slaves, controller in the name server's process"
                            : "one broker without replicas, proxy in the broker's process");
            settings.put("nodes", String.valueOf(options.nodes()));
            settings.put("heap", servers.heap());
            settings.put("gc", "G1");
            settings.put("data file system", launch.fileSystem());
            TOLD.stream()
                    .filter(config::containsKey)
                    .forEach(key -> settings.put(key, String.valueOf(config.get(key))));
            settings.putAll(options.settings());
            return launch.complete(
                    jarSet.product(),
                    jarSet.version(),
                    List.of(ports.nameServerAddress()),
                    replicated ? Map.of() : Map.of("grpc", List.of(ports.grpcAddress())),
                    settings);
        }
    }

    private static String driverFile(Credentials credentials, ServerPorts ports) {
        return """
                name: RocketMQ, secured
                driverClass: io.openmessaging.benchmark.driver.rocketmq.RocketMQBenchmarkDriver
                namesrvAddr: %s
                proxyAddr: %s
                """.formatted(ports.nameServerAddress(), ports.grpcAddress())
                + credentials.loginLines("accessKey", "secretKey")
                + (credentials.tls() ? "tls:\n  trustCertPath: " + credentials.trustedCertificates() + "\n" : "");
    }
}
