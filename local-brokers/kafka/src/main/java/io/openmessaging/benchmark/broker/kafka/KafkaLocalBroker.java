package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.limits.Confinement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Starts Kafka in KRaft mode: each node is both broker and controller, in its own JVM. */
public final class KafkaLocalBroker extends LocalBroker {

    private static final String DEFAULT_HEAP = "512m";

    /** A node is ready after about 2 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT_PER_NODE = Duration.ofSeconds(60);

    /** Options of Kafka's own start script, so that the broker is as fast here as elsewhere. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-server",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent",
            "-XX:MaxInlineLevel=15",
            "-Djava.awt.headless=true",
            "-Dlog4j2.configurationFile=classpath:io/openmessaging/benchmark/broker/kafka/log4j2.properties");

    /** For the service loader. */
    public KafkaLocalBroker() {
        super("kafka", Confinement.ProcessType.JVM, 9092);
    }

    @Override
    public Offer offer() {
        return JarSet.ofResource(KafkaLocalBroker.class, "jars.pom.xml").offer();
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        KafkaClusterLayout.check(options.settings());
        JarSet jarSet = JarSet.ofResource(KafkaLocalBroker.class, "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        List<Path> classPath = JvmNode.classPath(jars, KafkaLocalBroker.class);
        ListenAddress address = options.place().address();
        List<Integer> ports =
                LocalPorts.free(address, 2 * options.nodes(), options.place().firstPort());
        String heap = options.heapOr(DEFAULT_HEAP);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports);
            ClientListener listener = new ClientListener(launch.credentials());
            KafkaClusterLayout layout = KafkaClusterLayout.of(address, ports, listener);
            String clusterId = newClusterId();
            List<Path> readyFiles = new ArrayList<>();
            for (int id = 1; id <= layout.nodes(); id++) {
                String node = "kafka-" + id;
                Path data = launch.folder(node).resolve(BrokerLaunch.DATA);
                Path properties =
                        launch.write(node, "server.properties", layout.properties(id, data, options.settings()));
                Path ready = properties.resolveSibling("ready");
                Path client =
                        launch.write(node, "client.properties", listener.nodeClientProperties(layout.address(id)));
                List<String> arguments = new ArrayList<>(List.of(
                        properties.toString(),
                        client.toString(),
                        clusterId,
                        Integer.toString(layout.nodes()),
                        ready.toString()));
                if (options.security().login()) {
                    arguments.add(launch.write(node, "scram", listener.scram()).toString());
                }
                launch.start(new JvmNode(node, heap, JVM_OPTIONS, classPath, KafkaNode.class.getName(), arguments));
                readyFiles.add(ready);
            }
            launch.await(
                    "Kafka to be ready",
                    START_LIMIT_PER_NODE.multipliedBy(layout.nodes()),
                    () -> readyFiles.stream().allMatch(Files::exists));
            launch.writeDriverFile(listener.driverFile(layout.addresses()));
            Map<String, String> settings = new TreeMap<>(options.settings());
            settings.put("mode", "KRaft, each node broker and controller");
            settings.put("nodes", Integer.toString(options.nodes()));
            settings.put("heap", heap);
            settings.put("gc", "G1");
            settings.put("data file system", launch.fileSystem());
            return launch.complete(jarSet.product(), jarSet.version(), layout.addresses(), Map.of(), settings);
        }
    }

    /** Returns 16 bytes in Kafka's notation. They are characters, so that the id does not look like an option. */
    private static String newClusterId() {
        String random = UUID.randomUUID().toString().substring(0, 16);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random.getBytes(StandardCharsets.US_ASCII));
    }
}
