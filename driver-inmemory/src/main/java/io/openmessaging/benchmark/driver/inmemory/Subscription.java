package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a topic, from its first consumer to its last. Partition p belongs to the consumer at p modulo the
 * number of consumers: of a topic with fewer partitions than consumers, some get nothing. Only used inside the topic's
 * {@link Gate}.
 */
final class Subscription {

    private final int partitions;
    private final @Nullable FaultyOutlet faulty;
    private List<InMemoryConsumer> consumers = List.of();

    /** Without consumers, with faults if there are any. */
    Subscription(int partitions, @Nullable FaultyOutlet faulty) {
        this.partitions = partitions;
        this.faulty = faulty;
    }

    List<InMemoryConsumer> consumers() {
        return consumers;
    }

    /** Deals out the partitions again, each with the messages that nobody has got yet. */
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

    /** The outlet that suits the consumers as they are now. */
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

    /** Delivers what faults hold back of a producer's messages, as far as there is room; returns whether that was all. */
    boolean releaseHeldBack(int producerId) {
        return faulty == null || faulty.releaseHeldBack(producerId);
    }
}
