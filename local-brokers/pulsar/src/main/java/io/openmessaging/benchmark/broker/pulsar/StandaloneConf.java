package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The file {@code standalone.conf}, of broker and bookies alike: what the one in Pulsar's release says where that
 * differs from the defaults in the code, but for addresses and for caches that fit the memory.
 */
final class StandaloneConf {

    static final String JOURNAL_SYNC = "journalSyncData";

    /** As in Pulsar's release: a message is confirmed once the system has it, not only when the disk has. */
    static final String JOURNAL_SYNC_DEFAULT = "false";

    private static final String CLIENT_PORT = "brokerServicePort";
    private static final String HTTP_PORT = "webServicePort";
    private static final String BIND_ADDRESS = "bindAddress";
    private static final String ADVERTISED_ADDRESS = "advertisedAddress";
    private static final String BOOKIE_INTERFACE = "listeningInterface";

    /** Who changes one of these would have a broker that nobody finds, or one that others find, too. */
    private static final List<String> FIXED =
            List.of(CLIENT_PORT, HTTP_PORT, BIND_ADDRESS, ADVERTISED_ADDRESS, BOOKIE_INTERFACE);

    /** The release's value; more than a message of the largest size that a broker takes. */
    private static final int BOOKIE_FRAME_BYTES = 5_253_120;

    /** Of the direct memory, for each of the five that hold messages there; the rest is for everything else. */
    private static final int SHARE = 8;

    private StandaloneConf() {}

    /**
     * Refuses settings that are not a choice.
     *
     * @throws LocalBrokerException if there is one
     */
    static void refuseFixed(Map<String, String> settings) throws LocalBrokerException {
        for (String key : FIXED) {
            if (settings.containsKey(key)) {
                throw new LocalBrokerException(
                        "the setting " + key + " of a local Pulsar is chosen for each start: leave it out", null);
            }
        }
    }

    /**
     * The whole file.
     *
     * @param directMemory what broker and bookies share for their caches
     * @param settings entries that override ours
     */
    static Properties of(StandalonePorts ports, int bookies, MemorySize directMemory, Map<String, String> settings)
            throws LocalBrokerException {
        Properties conf = new Properties();
        set(conf, CLIENT_PORT, ports.client());
        set(conf, HTTP_PORT, ports.http());
        set(conf, BIND_ADDRESS, LoopbackPorts.HOST);
        set(conf, ADVERTISED_ADDRESS, LoopbackPorts.HOST);
        addBroker(conf);
        addBookies(conf);
        addMemory(conf, bookies, Math.max(1, directMemory.mib() / SHARE));
        settings.forEach((key, value) -> set(conf, key, value));
        return conf;
    }

    private static void addBroker(Properties conf) {
        // As in the driver files of other tools.
        set(conf, "clusterName", "local");
        set(conf, "loadManagerClassName", "org.apache.pulsar.broker.loadbalance.NoopLoadManager");
        set(conf, "loadBalancerEnabled", false);
        set(conf, "webSocketServiceEnabled", false);
        set(conf, "managedLedgerDefaultEnsembleSize", 1);
        set(conf, "managedLedgerDefaultWriteQuorum", 1);
        set(conf, "managedLedgerDefaultAckQuorum", 1);
    }

    private static void addBookies(Properties conf) throws LocalBrokerException {
        // Without it a bookie listens on every interface.
        set(conf, BOOKIE_INTERFACE, loopbackInterface());
        set(conf, "allowLoopback", true);
        set(conf, "ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
        set(conf, "nettyMaxFrameSizeBytes", BOOKIE_FRAME_BYTES);
        set(conf, "journalMaxGroupWaitMSec", 1);
        set(conf, JOURNAL_SYNC, JOURNAL_SYNC_DEFAULT);
        set(conf, "diskUsageThreshold", 0.99);
        set(conf, "diskUsageWarnThreshold", 0.99);
    }

    /**
     * The defaults are made for brokers and bookies on machines of their own: together they take more than there is, and
     * a broker that runs out of memory ends.
     *
     * @param shareMib for what is on its way from producers, for what is on its way to consumers, for the newest
     *     messages, and, in the bookies together, for what is to be written and what was read ahead
     */
    private static void addMemory(Properties conf, int bookies, long shareMib) {
        set(conf, "maxMessagePublishBufferSizeInMB", shareMib);
        set(conf, "managedLedgerMaxReadsInFlightSizeInMB", shareMib);
        set(conf, "managedLedgerCacheSizeMB", shareMib);
        set(conf, "dbStorage_writeCacheMaxSizeMb", Math.max(1, shareMib / bookies));
        set(conf, "dbStorage_readAheadCacheMaxSizeMb", Math.max(1, shareMib / bookies));
    }

    /** Called {@code lo} on Linux and {@code lo0} elsewhere. */
    private static String loopbackInterface() throws LocalBrokerException {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                    .getName();
        } catch (SocketException e) {
            throw new LocalBrokerException("cannot tell which network interface is the loopback: " + e, e);
        }
    }

    private static void set(Properties conf, String key, Object value) {
        conf.setProperty(key, value.toString());
    }
}
