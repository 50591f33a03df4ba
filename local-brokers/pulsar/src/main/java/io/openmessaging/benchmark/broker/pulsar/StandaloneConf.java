package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code standalone.conf}, of broker and bookies alike: what the one in Pulsar's release says where that
 * differs from the defaults in the code, but for addresses and for caches that fit the memory.
 */
final class StandaloneConf {

    static final String JOURNAL_SYNC = "journalSyncData";

    /** As in Pulsar's release: a message is confirmed once the system has it, not only when the disk has. */
    static final String JOURNAL_SYNC_DEFAULT = "false";

    /** Whether transactions are possible: not unless asked for, as in Pulsar's release. */
    static final String COORDINATOR = "transactionCoordinatorEnabled";

    static final String CLIENT_PORT = "brokerServicePort";
    static final String HTTP_PORT = "webServicePort";
    private static final String BIND_ADDRESS = "bindAddress";
    private static final String ADVERTISED_ADDRESS = "advertisedAddress";
    private static final String BOOKIE_INTERFACE = "listeningInterface";

    /** Who changes one of these would have a broker that nobody finds, or one that others find, too. */
    static final List<String> FIXED =
            List.of(CLIENT_PORT, HTTP_PORT, BIND_ADDRESS, ADVERTISED_ADDRESS, BOOKIE_INTERFACE);

    /** The release's value; more than a message of the largest size that a broker takes. */
    private static final int BOOKIE_FRAME_BYTES = 5_253_120;

    /** Of the direct memory, for each of the five that hold messages there; the rest is for everything else. */
    private static final int SHARE = 8;

    private StandaloneConf() {}

    /**
     * The whole file. What it advertises is the bookies, which only the broker asks, and which stay on loopback; the
     * broker's own address for clients is an argument of the command that overrides it.
     *
     * @param address where the broker listens
     * @param clientPort where Pulsar's own protocol is spoken
     * @param httpPort for administration
     * @param directMib direct memory, in mebibytes, that broker and bookies share for their caches
     * @param settings entries that override ours
     */
    static Map<String, Object> of(
            ListenAddress address,
            int clientPort,
            int httpPort,
            int bookies,
            long directMib,
            Map<String, String> settings)
            throws LocalBrokerException {
        Map<String, Object> conf = new TreeMap<>();
        conf.put(CLIENT_PORT, clientPort);
        conf.put(HTTP_PORT, httpPort);
        conf.put(BIND_ADDRESS, address.host());
        conf.put(ADVERTISED_ADDRESS, ListenAddress.LOOPBACK.host());
        // As in the driver files of other tools.
        conf.put("clusterName", "local");
        conf.put("loadManagerClassName", "org.apache.pulsar.broker.loadbalance.NoopLoadManager");
        conf.put("loadBalancerEnabled", false);
        conf.put("webSocketServiceEnabled", false);
        conf.put("managedLedgerDefaultEnsembleSize", 1);
        conf.put("managedLedgerDefaultWriteQuorum", 1);
        conf.put("managedLedgerDefaultAckQuorum", 1);
        // Without it a bookie listens on every interface.
        conf.put(BOOKIE_INTERFACE, loopbackInterface());
        conf.put("allowLoopback", true);
        conf.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
        conf.put("nettyMaxFrameSizeBytes", BOOKIE_FRAME_BYTES);
        conf.put("journalMaxGroupWaitMSec", 1);
        conf.put(JOURNAL_SYNC, JOURNAL_SYNC_DEFAULT);
        conf.put("diskUsageThreshold", 0.99);
        conf.put("diskUsageWarnThreshold", 0.99);
        addMemory(conf, bookies, Math.max(1, directMib / SHARE));
        conf.putAll(settings);
        return conf;
    }

    /**
     * The defaults are made for brokers and bookies on machines of their own: together they take more than there is, and
     * a broker that runs out of memory ends.
     *
     * @param shareMib for what is in flight from producers, for what is in flight to consumers, for the newest
     *     messages, and, in the bookies together, for what is to be written and what was read ahead
     */
    private static void addMemory(Map<String, Object> conf, int bookies, long shareMib) {
        conf.put("maxMessagePublishBufferSizeInMB", shareMib);
        conf.put("managedLedgerMaxReadsInFlightSizeInMB", shareMib);
        conf.put("managedLedgerCacheSizeMB", shareMib);
        conf.put("dbStorage_writeCacheMaxSizeMb", Math.max(1, shareMib / bookies));
        conf.put("dbStorage_readAheadCacheMaxSizeMb", Math.max(1, shareMib / bookies));
    }

    /** Called {@code lo} on Linux and {@code lo0} elsewhere. */
    private static String loopbackInterface() throws LocalBrokerException {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                    .getName();
        } catch (SocketException e) {
            throw new LocalBrokerException("cannot determine which network interface is the loopback: " + e, e);
        }
    }
}
