package io.openmessaging.benchmark.broker.rocketmq;

import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.BrokerStartup;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * The main class of the broker, in the broker's JVM: checks the configuration, of which RocketMQ overlooks what it does
 * not know, runs broker and proxy, and tells the starter when they serve clients.
 */
public final class BrokerNode {

    private static final List<Class<?>> CONFIGURATIONS = List.of(
            BrokerConfig.class,
            MessageStoreConfig.class,
            NettyServerConfig.class,
            NettyClientConfig.class,
            AuthConfig.class);

    private BrokerNode() {}

    /**
     * Starts the node, which then runs until it is killed.
     *
     * @param arguments the broker's configuration file, the name server's address, the port for gRPC, and the file that
     *     is created once clients are served
     */
    public static void main(String[] arguments) throws Exception {
        Path config = Path.of(arguments[0]);
        checkKeys(config);
        Readiness readiness = new Readiness(arguments[1]);
        BrokerController broker = BrokerStartup.createBrokerController(new String[] {"-c", config.toString()});
        // Else the broker would come back to it only some seconds later.
        readiness.awaitNameServer();
        ProxyServer proxy = ProxyServer.around(broker, config, Integer.parseInt(arguments[2]));
        broker.start();
        proxy.start();
        readiness.awaitBroker(broker);
        Files.createFile(Path.of(arguments[3]));
    }

    private static void checkKeys(Path config) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(config)) {
            properties.load(reader);
        }
        Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
        unknown.removeAll(knownKeys());
        if (!unknown.isEmpty()) {
            System.err.println("ERROR RocketMQ's broker.conf has no such setting: " + String.join(", ", unknown));
            System.exit(1);
        }
    }

    private static Set<String> knownKeys() {
        return CONFIGURATIONS.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(Method::getName)
                .filter(name -> name.startsWith("set"))
                .map(name -> name.substring("set".length()))
                // As RocketMQ does it: the first letter is made small, whatever the second one is.
                .map(name -> Character.toLowerCase(name.charAt(0)) + name.substring(1))
                .collect(Collectors.toSet());
    }
}
