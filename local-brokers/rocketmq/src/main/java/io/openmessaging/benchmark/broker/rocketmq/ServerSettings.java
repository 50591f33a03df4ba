package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The content of the servers' configuration files: RocketMQ's defaults, except for the settings here. */
final class ServerSettings {

    static final String SEND_THREADS = "sendMessageThreadPoolNums";
    static final String QUEUE_WAIT = "waitTimeMillsInSendQueue";
    static final String BUSY_TIMEOUT = "osPageCacheBusyTimeOutMills";
    static final String ALL_IN_SYNC = "allAckInSyncStateSet";
    static final String LEAST_IN_SYNC = "minInSyncReplicas";

    private static final int MIB = 1024 * 1024;

    private ServerSettings() {}

    /** Returns the settings of a name server for one broker. */
    static Map<String, Object> nameServer(ServerPorts ports) {
        Map<String, Object> config = new TreeMap<>();
        config.put("bindAddress", ports.address().host());
        config.put("listenPort", ports.nameServer());
        return config;
    }

    /**
     * Returns the settings of a name server with the controller, which chooses the master of several brokers.
     *
     * @param data the folder for the controller's data
     */
    static Map<String, Object> controller(ServerPorts ports, Path data) {
        Map<String, Object> config = nameServer(ports);
        config.put("enableControllerInNamesrv", true);
        config.put("controllerDLegerGroup", "controllers");
        config.put("controllerDLegerSelfId", "n0");
        config.put("controllerDLegerPeers", "n0-" + ports.controllerAddress());
        config.put("controllerStorePath", data);
        // The controller stores a few hundred bytes; the default is 1 GiB.
        config.put("mappedFileSize", 16 * MIB);
        return config;
    }

    /** Returns the settings of a single broker. */
    static Map<String, Object> broker(ServerPorts ports, Path data, Map<String, String> overrides) {
        Map<String, Object> config = common(ports, ports.brokers().get(0), data);
        config.put("enableControllerMode", false);
        config.putAll(overrides);
        return config;
    }

    /**
     * Returns the settings of one of several brokers with the same messages. A message is acknowledged when all brokers
     * that are in sync have it, and refused while these are fewer than two: any of them can replace the master.
     */
    static Map<String, Object> replica(
            ServerPorts ports, ServerPorts.BrokerPorts broker, Path data, Map<String, String> overrides) {
        Map<String, Object> config = common(ports, broker, data);
        config.put("haListenPort", broker.replication());
        config.put("enableControllerMode", true);
        config.put("controllerAddr", ports.controllerAddress());
        // The controller assigns ids and roles.
        config.put("brokerId", -1);
        config.put("brokerRole", "SLAVE");
        config.put("totalReplicas", ports.brokers().size());
        config.put(ALL_IN_SYNC, true);
        config.put(LEAST_IN_SYNC, 2);
        config.putAll(overrides);
        return config;
    }

    private static Map<String, Object> common(ServerPorts ports, ServerPorts.BrokerPorts broker, Path data) {
        Map<String, Object> config = new TreeMap<>();
        config.put("brokerClusterName", "DefaultCluster");
        config.put("brokerName", "broker-a");
        config.put("namesrvAddr", ports.nameServerAddress());
        config.put("bindAddress", ports.address().host());
        config.put("brokerIP1", ports.address().host());
        // The address for replicas.
        config.put("brokerIP2", ListenAddress.LOOPBACK.host());
        config.put("listenPort", broker.clients());
        config.put("storePathRootDir", data);
        config.put("storePathCommitLog", data.resolve("commitlog"));
        // A run's data are small and discarded; the defaults are 1 GiB for the log and 400 MB for the index.
        config.put("mappedFileSizeCommitLog", 128 * MIB);
        config.put("maxHashSlotNum", 500_000);
        config.put("maxIndexNum", 2_000_000);
        // A message must not create a topic that does not exist or is deleted.
        config.put("autoCreateTopicEnable", false);
        // With more than one, concurrent messages of a producer overtake each other.
        config.put(SEND_THREADS, 1);
        // By default, the broker refuses requests that have waited for 200 ms, and all requests while one write takes
        // over 1 s, as large messages do on a small machine.
        config.put(QUEUE_WAIT, 3_000);
        config.put(BUSY_TIMEOUT, 10_000);
        return config;
    }
}
