package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.pulsar.ProducerConfig.Batcher;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pulsar's guarantee under a configuration. */
final class PulsarGuarantee {

    private static final String NUMBERS_UNKNOWN =
            "Pulsar does not report the persistence policies of the existing topics, so one copy is assumed";

    private static final String SYNC_UNKNOWN =
            "set persistence.journalSyncData to the setting of the bookies; they do not report it";

    private PulsarGuarantee() {}

    /**
     * Returns the guarantee.
     *
     * @param stored storage of the topics in use, if topics are persistent; empty if Pulsar does not report it
     */
    static Guarantee of(PulsarConfig config, Optional<Persistence> stored) {
        Order order = order(config.producer(), config.consumer());
        if (!config.client().isPersistent()) {
            return new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, order);
        }
        @Nullable Boolean synced = config.client().persistence().journalSyncData();
        Storage storage = synced == null ? Storage.UNKNOWN : synced ? Storage.SYNCED : Storage.WRITTEN;
        String note = Stream.of(stored.isEmpty() ? NUMBERS_UNKNOWN : "", synced == null ? SYNC_UNKNOWN : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        // Any policy has at least one copy, and waits for it.
        return new Guarantee(
                stored.map(Persistence::writeQuorum).orElse(1),
                stored.map(Persistence::ackQuorum).orElse(1),
                storage,
                Consumption.ACKNOWLEDGED,
                order,
                note);
    }

    /**
     * Batches of one key each are sent one after the other, which changes the order among keys. Other batches have
     * messages of several keys, and a Key_Shared subscription gives a whole batch to one consumer, so the messages of a
     * key may go to several consumers.
     */
    private static Order order(ProducerConfig producer, ConsumerConfig consumer) {
        boolean batchesOfKeys = producer.batchingEnabled() && producer.batcher() == Batcher.KEY_BASED;
        return switch (consumer.subscriptionType()) {
            case Failover, Exclusive -> batchesOfKeys ? Order.KEY : Order.PARTITION;
            case Key_Shared -> batchesOfKeys || !producer.batchingEnabled() ? Order.KEY : Order.NONE;
            case Shared -> Order.NONE;
        };
    }
}
