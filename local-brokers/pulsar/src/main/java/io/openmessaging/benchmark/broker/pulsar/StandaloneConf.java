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
 * The file {@code standalone.conf} for broker and bookies: the values of the file in Pulsar's release that differ from
 * the defaults in the code, except for addresses and for caches, which fit the memory.
 */
final class StandaloneConf {

    static final String JOURNAL_SYNC = "journalSyncData";

    /**
     * As in Pulsar's release: a message is acknowledged once the operating system has it, not only when the disk has.
     */
    static final String JOURNAL_SYNC_DEFAULT = "false";

    /** True if transactions are possible; false by default, as in Pulsar's release. */
    static final String COORDINATOR = "transactionCoordinatorEnabled";

    static final String CLIENT_PORT = "brokerServicePort";
    static final String HTTP_PORT = "webServicePort";
    private static final String BIND_ADDRESS = "bindAddress";
    private static final String ADVERTISED_ADDRESS = "advertisedAddress";
    private static final String BOOKIE_INTERFACE = "listeningInterface";

    /** Keys that users cannot change: the broker would become unreachable for clients, or reachable for others. */
    static final List<String> FIXED =
            List.of(CLIENT_PORT, HTTP_PORT, BIND_ADDRESS, ADVERTISED_ADDRESS, BOOKIE_INTERFACE);

    /** The release's value; larger than the largest message that a broker accepts. */
    private static final int BOOKIE_FRAME_BYTES = 5_253_120;

    /**
     * Divisor of the direct memory for each of the five buffers and caches that hold messages there; the rest is for
     * everything else.
     */
    private static final int SHARE = 8;

    private StandaloneConf() {}

    /**
     * Returns the whole file. The advertised address is that of the bookies, which only the broker uses and which stay
     * on loopback; an argument of the command overrides the broker's own address for clients.
     *
     * @param address where the broker listens
     * @param clientPort port of Pulsar's own protocol
     * @param httpPort port for administration
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
        // Otherwise, a bookie listens on every interface.
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
     * Adds the sizes of buffers and caches. The defaults assume separate machines for brokers and bookies: together,
     * they exceed the available memory, and a broker that runs out of memory ends.
     *
     * @param shareMib size, in mebibytes, of each of these: messages in flight from producers, messages in flight to
     *     consumers, the newest messages, and, for all bookies together, the write cache and the read-ahead cache
     */
    private static void addMemory(Map<String, Object> conf, int bookies, long shareMib) {
        conf.put("maxMessagePublishBufferSizeInMB", shareMib);
        conf.put("managedLedgerMaxReadsInFlightSizeInMB", shareMib);
        conf.put("managedLedgerCacheSizeMB", shareMib);
        conf.put("dbStorage_writeCacheMaxSizeMb", Math.max(1, shareMib / bookies));
        conf.put("dbStorage_readAheadCacheMaxSizeMb", Math.max(1, shareMib / bookies));
    }

    /** Returns the loopback interface, called {@code lo} on Linux and {@code lo0} elsewhere. */
    private static String loopbackInterface() throws LocalBrokerException {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                    .getName();
        } catch (SocketException e) {
            throw new LocalBrokerException("cannot determine which network interface is the loopback: " + e, e);
        }
    }
}
