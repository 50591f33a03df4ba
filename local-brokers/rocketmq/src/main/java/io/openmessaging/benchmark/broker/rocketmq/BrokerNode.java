package io.openmessaging.benchmark.broker.rocketmq;

import com.alibaba.fastjson2.JSON;
import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.BrokerStartup;
import org.apache.rocketmq.broker.transaction.TransactionMetricsFlushService;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.config.BrokerRole;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.apache.rocketmq.store.ha.autoswitch.AutoSwitchHAService;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the broker, in the broker's JVM: checks the configuration, since RocketMQ ignores unknown keys,
 * runs broker and proxy, and notifies the starter when they serve clients.
 */
public final class BrokerNode {

    private static final List<Class<?>> CONFIGURATIONS = List.of(
            BrokerConfig.class,
            MessageStoreConfig.class,
            NettyServerConfig.class,
            NettyClientConfig.class,
            AuthConfig.class);

    private static final int POLL_MS = 20;
    private static final int RETRY_MS = 200;
    private static final int CALL_LIMIT_MS = 5_000;

    /** Index of the gRPC address among the arguments. */
    private static final int GRPC = 3;

    private static final String PROBE_TOPIC = "benchmark-readiness";

    private BrokerNode() {}

    /**
     * Starts the node, which then runs until it is killed.
     *
     * @param arguments the broker's configuration file, the address of the name server, the file that is created once
     *     clients are served, and the address for gRPC if it is enabled
     */
    public static void main(String[] arguments) throws Exception {
        Path config = Path.of(arguments[0]);
        checkKeys(config);
        String nameServer = arguments[1];
        BrokerController broker = BrokerStartup.createBrokerController(new String[] {"-c", config.toString()});
        TransactionMetricsSaver.install(broker);
        // Otherwise, the broker would retry only some seconds later.
        while (!LocalPorts.listens(nameServer)) {
            Thread.sleep(POLL_MS);
        }
        if (broker.getBrokerConfig().isEnableControllerMode()) {
            LoopbackReplication.install(broker);
        }
        if (arguments.length > GRPC) {
            ProxyServer proxy = ProxyServer.around(broker, config, LocalPorts.socketAddress(arguments[GRPC]));
            broker.start();
            proxy.start();
        } else {
            broker.start();
        }
        awaitReadiness(broker, nameServer);
        Files.writeString(Path.of(arguments[2]), "");
    }

    private static void checkKeys(Path config) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(config)));
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
                // Like RocketMQ itself: changes the first letter to lower case, whatever the second one is.
                .map(name -> Character.toLowerCase(name.charAt(0)) + name.substring(1))
                .collect(Collectors.toSet());
    }

    /**
     * Waits until a client would be served: a topic can be created, the name server knows its route, and it can be
     * deleted. For a slave: until the controller counts it among those that have all messages. Has no limit, since the
     * starter has one.
     */
    private static void awaitReadiness(BrokerController broker, String nameServer) throws InterruptedException {
        MQClientAPIImpl client = new MQClientAPIImpl(
                new NettyClientConfig(), null, signature(broker.getAuthConfig()), new ClientConfig());
        client.updateNameServerAddressList(nameServer);
        client.start();
        try {
            if (broker.getBrokerConfig().isEnableControllerMode()) {
                while (!isInSync(client, broker)) {
                    Thread.sleep(RETRY_MS);
                }
            }
            if (broker.getMessageStoreConfig().getBrokerRole() == BrokerRole.SLAVE) {
                return;
            }
            while (!serves(client, broker.getBrokerAddr(), nameServer)) {
                Thread.sleep(RETRY_MS);
                // By itself, the broker retries only after ten seconds.
                broker.registerBrokerAll(true, false, true);
            }
        } finally {
            client.shutdown();
        }
    }

    /** Returns the credentials that brokers use among themselves; null if no login is required. */
    private static @Nullable RPCHook signature(AuthConfig config) {
        return config.isAuthenticationEnabled()
                ? new AclClientRPCHook(
                        JSON.parseObject(config.getInnerClientAuthenticationCredentials(), SessionCredentials.class))
                : null;
    }

    private static boolean isInSync(MQClientAPIImpl client, BrokerController broker) throws InterruptedException {
        BrokerConfig config = broker.getBrokerConfig();
        try {
            return client
                    .getInSyncStateData(config.getControllerAddr(), List.of(config.getBrokerName()))
                    .getReplicasInfoTable()
                    .values()
                    .stream()
                    .flatMap(replicas -> replicas.getInSyncReplicas().stream())
                    .anyMatch(replica -> broker.getBrokerAddr().equals(replica.getBrokerAddress()));
        } catch (MQBrokerException | RemotingException e) {
            // Not ready yet.
            return false;
        }
    }

    private static boolean serves(MQClientAPIImpl client, String broker, String nameServer)
            throws InterruptedException {
        try {
            TopicConfig topic = new TopicConfig(PROBE_TOPIC, 1, 1);
            client.createTopic(broker, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, topic, CALL_LIMIT_MS);
            client.getTopicRouteInfoFromNameServer(PROBE_TOPIC, CALL_LIMIT_MS);
            client.deleteTopicInBroker(broker, PROBE_TOPIC, CALL_LIMIT_MS);
            client.deleteTopicInNameServer(nameServer, PROBE_TOPIC, CALL_LIMIT_MS);
            return true;
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            // Not ready yet.
            return false;
        }
    }

    /**
     * Replication under a controller that listens for slaves on loopback. RocketMQ's own service listens on every
     * interface, and has a setting neither for the address nor for the class.
     */
    private static final class LoopbackReplication extends AutoSwitchHAService {

        private LoopbackReplication() {}

        /** Replaces the broker's own service, which must not have been started. */
        static void install(BrokerController broker) throws ReflectiveOperationException {
            LoopbackReplication replication = new LoopbackReplication();
            set(broker.getMessageStore(), "haService", replication);
            set(broker.getReplicasManager(), "haService", replication);
        }

        @Override
        public void init(DefaultMessageStore store) throws IOException {
            super.init(store);
            int port = store.getMessageStoreConfig().getHaListenPort();
            try {
                InetSocketAddress address = new InetSocketAddress(ListenAddress.LOOPBACK.host(), port);
                set(acceptSocketService, "socketAddressListen", address);
            } catch (ReflectiveOperationException e) {
                throw new IOException("cannot keep the port for slaves on loopback: " + e, e);
            }
        }

        private static void set(Object owner, String name, Object value) throws ReflectiveOperationException {
            Field field = field(owner.getClass(), name);
            field.setAccessible(true);
            field.set(owner, value);
        }

        private static Field field(Class<?> type, String name) throws NoSuchFieldException {
            for (Class<?> current = type; current != Object.class; current = current.getSuperclass()) {
                for (Field field : current.getDeclaredFields()) {
                    if (field.getName().equals(name)) {
                        return field;
                    }
                }
            }
            throw new NoSuchFieldException(type.getName() + "." + name);
        }
    }

    /**
     * Saves the metrics of transactions as often as RocketMQ's own thread, but also sleeps before the first time.
     * RocketMQ's own thread, in 5.5, queries the time in a busy loop until the first interval is over: it uses a
     * processor for ten seconds, during measurements. A shorter interval would shorten this, but cause more syncs to
     * the disk from then on.
     */
    static final class TransactionMetricsSaver extends TransactionMetricsFlushService {

        /** The thread's name as Linux shows it; the name of RocketMQ's own starts with a capital letter. */
        static final String THREAD = "metrics-saver";

        private final BrokerController broker;

        private TransactionMetricsSaver(BrokerController broker) {
            super(broker);
            this.broker = broker;
        }

        /** Replaces the broker's own thread, which has been running since the broker was created. */
        static void install(BrokerController broker) throws ReflectiveOperationException {
            Field field = BrokerController.class.getDeclaredField("transactionMetricsFlushService");
            field.setAccessible(true);
            ((TransactionMetricsFlushService) field.get(broker)).shutdown();
            TransactionMetricsSaver saver = new TransactionMetricsSaver(broker);
            field.set(broker, saver);
            saver.start();
        }

        @Override
        public String getServiceName() {
            return THREAD;
        }

        @Override
        public void run() {
            while (!isStopped()) {
                waitForRunning(broker.getBrokerConfig().getTransactionMetricFlushInterval());
                // This reports its errors by itself.
                broker.getTransactionalMessageService().getTransactionMetrics().persist();
            }
        }
    }
}
