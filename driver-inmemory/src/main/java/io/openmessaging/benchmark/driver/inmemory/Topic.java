package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.inmemory.Faults.Picks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A topic: its subscriptions, and the chain of outlets for their current state. Thread-safe. */
final class Topic {

    /** A change to a topic, made while no message is in flight. */
    @FunctionalInterface
    interface TopicChange {
        void make() throws DriverException;
    }

    private final String name;
    private final int partitions;
    private final Faults faults;
    private final AtomicLong faultySends = new AtomicLong();
    private final Gate gate = new Gate();

    // Used inside the gate only.
    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    private Outlet outlet = Outlet.NOBODY;

    private volatile boolean deleted;

    /** Creates a topic without subscriptions. */
    Topic(String name, int partitions, Faults faults) {
        this.name = name;
        this.partitions = partitions;
        this.faults = faults;
    }

    String name() {
        return name;
    }

    int partitions() {
        return partitions;
    }

    boolean isDeleted() {
        return deleted;
    }

    /** Returns the producer itself, or one that injects the faults of sending. */
    BenchmarkProducer withFaults(BenchmarkProducer producer, DriverEvents events) {
        return faults.concernSends() ? new FaultyProducer(producer, faults, faultySends, events) : producer;
    }

    /**
     * Delivers or queues a message for every subscription; does nothing and returns false if there is no room for it.
     */
    boolean offer(int producerId, @Nullable String key, byte[] payload, int partition) {
        gate.enter();
        try {
            return outlet.accept(producerId, key, payload, partition);
        } finally {
            gate.exit();
        }
    }

    /** Delivers the held-back messages of a producer; returns false if there is not yet room for all of them. */
    boolean releaseHeldBack(int producerId) {
        gate.enter();
        try {
            boolean all = true;
            for (Subscription subscription : subscriptions.values()) {
                all &= subscription.releaseHeldBack(producerId);
            }
            return all;
        } finally {
            gate.exit();
        }
    }

    /** Attaches consumers to a subscription, which is created with its first one. */
    void attach(String subscriptionName, List<InMemoryConsumer> consumers) throws DriverException {
        change(() -> {
            if (deleted) {
                throw new DriverException("Topic " + name + " was deleted.");
            }
            Subscription subscription = subscriptions.computeIfAbsent(
                    subscriptionName,
                    n -> new Subscription(
                            partitions,
                            faults.concernDelivery()
                                    ? new FaultyOutlet(faults, consumers.get(0).events())
                                    : null));
            List<InMemoryConsumer> all = new ArrayList<>(subscription.consumers());
            all.addAll(consumers);
            subscription.setConsumers(all);
        });
    }

    /** Detaches a consumer from its subscription, which ends with its last one; does nothing if it is not attached. */
    void detach(InMemoryConsumer consumer) throws DriverException {
        change(() -> {
            Subscription subscription = subscriptions.get(consumer.spec().subscription());
            if (subscription == null || !subscription.consumers().contains(consumer)) {
                return;
            }
            List<InMemoryConsumer> others = new ArrayList<>(subscription.consumers());
            others.remove(consumer);
            if (others.isEmpty()) {
                subscriptions.remove(consumer.spec().subscription());
            }
            subscription.setConsumers(others);
        });
    }

    /** Ends all subscriptions; sends fail from now on. */
    void delete() throws DriverException {
        change(() -> {
            deleted = true;
            List<Subscription> ended = List.copyOf(subscriptions.values());
            subscriptions.clear();
            for (Subscription subscription : ended) {
                subscription.setConsumers(List.of());
            }
        });
    }

    /** Makes a change while no message is in flight, and rebuilds the chain of outlets. */
    void change(TopicChange change) throws DriverException {
        gate.enterForChange();
        try {
            change.make();
        } finally {
            outlet = buildOutlet();
            gate.exit();
        }
    }

    /**
     * Does the same for a change that may become unnecessary while it waits for the gate.
     *
     * @param change the change; returns whether it has changed something
     * @return the result of the change, or false if it was needless
     */
    boolean changeUnless(BooleanSupplier needless, BooleanSupplier change) {
        if (!gate.enterForChangeUnless(needless)) {
            return false;
        }
        try {
            return change.getAsBoolean();
        } finally {
            outlet = buildOutlet();
            gate.exit();
        }
    }

    private Outlet buildOutlet() {
        return deleted
                ? Outlet.CLOSED
                : Outlet.fanOut(subscriptions.values().stream()
                        .map(Subscription::outlet)
                        .toList());
    }

    /** Makes sends fail. */
    private static final class FaultyProducer implements BenchmarkProducer {

        private final BenchmarkProducer next;
        private final Faults faults;
        private final Picks fail;
        private final AtomicLong nextIndex;
        private final DriverEvents events;

        /**
         * Wraps a producer that works.
         *
         * @param nextIndex the count that all producers of the topic share
         */
        FaultyProducer(BenchmarkProducer next, Faults faults, AtomicLong nextIndex, DriverEvents events) {
            this.next = next;
            this.faults = faults;
            this.fail = new Picks(faults.failEvery(), faults.fail());
            this.nextIndex = nextIndex;
            this.events = events;
        }

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
            if (!faults.count(payload)) {
                next.send(key, payload, callback);
                return;
            }
            long index = nextIndex.getAndIncrement();
            if (index + 1 == faults.fatalAfter()) {
                events.fatal(new DriverException("Fatal error requested by faults.fatalAfter, message " + index));
            }
            boolean late = faults.failAfter() > 0 && index >= faults.failAfter();
            if (late || fail.contain(index)) {
                callback.failed(new DriverException("Send failure requested by faults, message " + index));
            } else {
                next.send(key, payload, callback);
            }
        }

        @Override
        public void close() throws DriverException {
            next.close();
        }
    }
}
