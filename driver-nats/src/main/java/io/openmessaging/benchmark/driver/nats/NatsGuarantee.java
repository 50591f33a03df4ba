package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import java.time.Duration;
import java.util.List;

/** The guarantee that NATS gives under a configuration. */
final class NatsGuarantee {

    private NatsGuarantee() {}

    /**
     * Returns the guarantee.
     *
     * @param syncIntervals time between two syncs of each server, zero for a sync before each answer; empty if unknown
     */
    static Guarantee of(NatsConfig config, List<Duration> syncIntervals) {
        if (config.mode() == NatsMode.CORE) {
            return new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION);
        }
        int copies = config.replicationFactor();
        Storage storage = config.storage() == NatsConfig.Storage.MEMORY ? Storage.MEMORY : onFiles(syncIntervals);
        return new Guarantee(
                copies,
                copies / 2 + 1,
                storage,
                config.acknowledge() ? Consumption.ACKNOWLEDGED : Consumption.AUTOMATIC,
                Order.PARTITION,
                note(storage, syncIntervals));
    }

    private static Storage onFiles(List<Duration> syncIntervals) {
        if (syncIntervals.isEmpty()) {
            return Storage.UNKNOWN;
        }
        return syncIntervals.stream().allMatch(Duration::isZero) ? Storage.SYNCED : Storage.WRITTEN;
    }

    private static String note(Storage storage, List<Duration> syncIntervals) {
        return switch (storage) {
            case UNKNOWN ->
                "no monitoring endpoint tells the sync_interval of the servers; the default syncs every two minutes";
            case WRITTEN -> {
                Duration longest = syncIntervals.stream().max(Duration::compareTo).orElse(Duration.ZERO);
                yield "synced every " + words(longest) + ", as sync_interval says";
            }
            default -> "";
        };
    }

    private static String words(Duration interval) {
        long seconds = interval.toSeconds();
        if (interval.toMillis() % 1000 != 0) {
            return interval.toMillis() + " ms";
        }
        return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
