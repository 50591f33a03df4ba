package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The guarantee that Redis gives under a configuration. */
final class RedisGuarantee {

    private RedisGuarantee() {}

    /**
     * Returns the guarantee.
     *
     * @param server settings of the server, as far as it reports them, including {@link BrokerInfo#REPLICAS}
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
        int replicas = Math.max(awaited, Integer.parseInt(server.getOrDefault(BrokerInfo.REPLICAS, "0")));
        Storage storage = after != null && after.aof() ? Storage.SYNCED : storage(server);
        return new Guarantee(
                1 + replicas,
                1 + awaited,
                storage,
                consumption,
                Order.PARTITION,
                config.isFailingOver() && replicas > awaited,
                note(after, storage, server));
    }

    private static Storage storage(Map<String, String> server) {
        String append = server.getOrDefault("appendonly", "");
        if (append.isEmpty()) {
            return Storage.UNKNOWN;
        }
        if (!append.equals("yes")) {
            return Storage.MEMORY;
        }
        return server.getOrDefault("appendfsync", "").equals("always") ? Storage.SYNCED : Storage.WRITTEN;
    }

    private static String note(@Nullable AcknowledgeAfter after, Storage storage, Map<String, String> server) {
        if (after != null && after.replicas() > 0 && !after.aof() && storage != Storage.MEMORY) {
            return "this applies to the primary's copy; the replicas' copies may be in memory";
        }
        return switch (storage) {
            case UNKNOWN -> "the user is not permitted to read the server's settings";
            case WRITTEN ->
                server.getOrDefault("appendfsync", "").equals("everysec")
                        ? "synced every second; if a sync takes long, Redis may delay writes for up to two seconds"
                        : "";
            default -> "";
        };
    }
}
