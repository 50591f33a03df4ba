package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import java.util.Map;

/** The guarantee that Redis gives under a configuration. */
final class RedisGuarantee {

    private RedisGuarantee() {}

    /**
     * Returns the guarantee.
     *
     * @param server settings of the primaries, as far as they report them, including {@link BrokerInfo#REPLICAS}
     */
    static Guarantee of(RedisConfig config, Map<String, String> server) {
        return switch (config.mode()) {
            case STREAM -> stored(config, server, Consumption.ACKNOWLEDGED);
            case LIST -> stored(config, server, Consumption.AUTOMATIC);
            case PUBSUB -> new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION);
        };
    }

    private static Guarantee stored(RedisConfig config, Map<String, String> server, Consumption consumption) {
        AcknowledgeAfter after = config.acknowledgeAfter();
        int awaited = after == null ? 0 : after.replicas();
        String reported = server.getOrDefault(BrokerInfo.REPLICAS, "0");
        int replicas = Math.max(awaited, Integer.parseInt(reported));
        int most = Math.max(replicas, Integer.parseInt(server.getOrDefault(BrokerInfo.MOST_REPLICAS, reported)));
        boolean synced = after != null && after.aof();
        Storage primary = synced ? Storage.SYNCED : storage(server);
        return new Guarantee(
                1 + replicas,
                1 + awaited,
                // WAIT confirms that a replica has the message, not that it has synced it.
                primary == Storage.SYNCED && awaited > 0 && !synced ? Storage.SYNCED_ONCE : primary,
                consumption,
                Order.PARTITION,
                mayRestartEmpty(primary) || config.isFailingOver() && most > awaited,
                note(primary, awaited > 0 && !synced, most > 0, server));
    }

    /** A primary that was killed restarts as primary, without data that were in memory. Its replicas then copy it. */
    private static boolean mayRestartEmpty(Storage primary) {
        return primary == Storage.MEMORY || primary == Storage.UNKNOWN;
    }

    private static Storage storage(Map<String, String> server) {
        String append = server.getOrDefault("appendonly", "");
        if (append.isEmpty()) {
            return Storage.UNKNOWN;
        }
        if (!append.equals("yes")) {
            return Storage.MEMORY;
        }
        return appendFsync(server).equals("always")
                        && server.getOrDefault("no-appendfsync-on-rewrite", "").equals("no")
                ? Storage.SYNCED
                : Storage.WRITTEN;
    }

    private static String appendFsync(Map<String, String> server) {
        return server.getOrDefault("appendfsync", "");
    }

    /**
     * Returns a condition of the guarantee.
     *
     * @param primary where the primary's copy is
     * @param unsyncedReplicas true if replicas must have the message, wherever they keep it
     * @param replicated true if there are replicas
     */
    private static String note(
            Storage primary, boolean unsyncedReplicas, boolean replicated, Map<String, String> server) {
        if (primary == Storage.UNKNOWN) {
            return "the user is not permitted to read the server's settings; messages may be in memory only";
        }
        if (primary == Storage.MEMORY) {
            return replicated ? "a primary that restarts is empty, and its replicas copy that" : "";
        }
        if (unsyncedReplicas) {
            return "this applies to the primary's copy; the replicas' copies may be in memory";
        }
        if (primary == Storage.SYNCED) {
            return "";
        }
        return switch (appendFsync(server)) {
            case "everysec" ->
                "synced every second; if a sync takes long, Redis may delay writes for up to two seconds";
            case "always" -> "Redis may skip syncs while it rewrites the file, see no-appendfsync-on-rewrite";
            default -> "";
        };
    }
}
