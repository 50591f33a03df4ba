package io.openmessaging.benchmark.driver.nats;

import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.time.Duration;
import java.util.List;

/** The guarantee that NATS gives for a message. */
final class NatsGuarantee {

    /** The guarantee of subjects without a stream. */
    static final Guarantee OF_SUBJECTS = new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION);

    private NatsGuarantee() {}

    /**
     * Returns the guarantee of streams, which is that of the weakest.
     *
     * @param streams configurations of the streams, at least one
     * @param syncIntervals time between two syncs of each server, zero for a sync before each answer; empty if unknown
     * @param acknowledges true if consumers acknowledge messages
     */
    static Guarantee of(List<StreamConfiguration> streams, List<Duration> syncIntervals, boolean acknowledges) {
        int copies = streams.stream()
                .mapToInt(StreamConfiguration::getReplicas)
                .min()
                .orElseThrow();
        boolean inMemory = streams.stream().anyMatch(stream -> stream.getStorageType() == StorageType.Memory);
        Storage storage = inMemory ? Storage.MEMORY : onFiles(syncIntervals);
        return new Guarantee(
                copies,
                copies / 2 + 1,
                storage,
                acknowledges ? Consumption.ACKNOWLEDGED : Consumption.AUTOMATIC,
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
                Duration longest =
                        syncIntervals.stream().max(Duration::compareTo).orElse(Duration.ZERO);
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
