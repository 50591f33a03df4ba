package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a topic, from its first consumer to its last. Partition p belongs to the consumer at index p modulo
 * the number of consumers: with fewer partitions than consumers, some consumers receive nothing. Only used inside the
 * topic's {@link Gate}.
 */
final class Subscription {

    private final int partitions;
    private final @Nullable FaultyOutlet faulty;
    private List<InMemoryConsumer> consumers = List.of();

    /** Creates a subscription without consumers, with faults if there are any. */
    Subscription(int partitions, @Nullable FaultyOutlet faulty) {
        this.partitions = partitions;
        this.faulty = faulty;
    }

    List<InMemoryConsumer> consumers() {
        return consumers;
    }

    /** Reassigns the partitions, each with its undelivered messages. */
    void setConsumers(List<InMemoryConsumer> newConsumers) throws DriverException {
        List<Message> undelivered = new ArrayList<>();
        for (InMemoryConsumer consumer : consumers) {
            undelivered.addAll(consumer.detach());
        }
        consumers = List.copyOf(newConsumers);
        for (InMemoryConsumer consumer : consumers) {
            consumer.attach(undelivered.stream()
                    .filter(m -> ownerOf(m.partition()) == consumer)
                    .toList());
        }
    }

    private InMemoryConsumer ownerOf(int partition) {
        return consumers.get(partition % consumers.size());
    }

    /** Returns the outlet for the current consumers. */
    Outlet outlet() {
        Outlet toConsumers = outletToConsumers();
        if (faulty == null) {
            return toConsumers;
        }
        faulty.setNext(toConsumers);
        return faulty;
    }

    private Outlet outletToConsumers() {
        if (consumers.size() == 1 || partitions == 1) {
            return ownerOf(0).outlet();
        }
        return new Outlet.Partitioned(IntStream.range(0, partitions)
                .mapToObj(partition -> ownerOf(partition).outlet())
                .toList());
    }

    /** Delivers the held-back messages of a producer, as far as there is room; returns whether all were delivered. */
    boolean releaseHeldBack(int producerId) {
        return faulty == null || faulty.releaseHeldBack(producerId);
    }
}
