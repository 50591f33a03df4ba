package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;

/** What Redis promises under a configuration. */
final class RedisGuarantee {

    private RedisGuarantee() {}

    /**
     * The guarantee. Copies on replicas do not count: Redis acknowledges without them.
     *
     * @param server the settings of the server, as far as it tells them
     */
    static Guarantee of(RedisMode mode, Map<String, String> server) {
        return switch (mode) {
            case STREAM -> stored(server, Consumption.ACKNOWLEDGED);
            case LIST -> stored(server, Consumption.AUTOMATIC);
            case PUBSUB -> new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION);
        };
    }

    private static Guarantee stored(Map<String, String> server, Consumption consumption) {
        String append = server.getOrDefault("appendonly", "");
        String sync = server.getOrDefault("appendfsync", "");
        Storage storage = append.isEmpty()
                ? Storage.UNKNOWN
                : !append.equals("yes") ? Storage.MEMORY : sync.equals("always") ? Storage.SYNCED : Storage.WRITTEN;
        String note = switch (storage) {
            case UNKNOWN -> "the user may not read the server's settings";
            case WRITTEN ->
                sync.equals("everysec")
                        ? "synced each second; while that takes long, Redis may hold back writes for up to two seconds"
                        : "";
            default -> "";
        };
        return new Guarantee(1, 1, storage, consumption, Order.PARTITION, note);
    }
}
