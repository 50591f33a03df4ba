package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.MessageListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage on the path of a message to the consumers. Only used inside the topic's {@link Gate}. */
interface Outlet {

    /** The outlet of a topic without subscriptions, which drops messages. */
    Outlet NOBODY = fanOut(List.of());

    /** The outlet of a deleted topic, which refuses messages. */
    Outlet CLOSED = new Outlet() {
        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            return false;
        }

        @Override
        public boolean hasRoom(int partition, int messages) {
            return false;
        }
    };

    /**
     * Takes a message and returns true, or does nothing and returns false if there is no room for it.
     *
     * @param producerId the producer that sent it
     * @param payload the sender may reuse the array afterwards if delivery is direct
     */
    boolean accept(int producerId, @Nullable String key, byte[] payload, int partition);

    /** Returns whether that many messages of the partition would be accepted now. */
    default boolean hasRoom(int partition, int messages) {
        return true;
    }

    /** Returns an outlet that passes a message to every subscription, or to none as long as one of them has no room. */
    static Outlet fanOut(List<Outlet> subscriptions) {
        return subscriptions.size() == 1 ? subscriptions.get(0) : new FanOut(subscriptions);
    }

    /** Calls the listener on the sender's thread. */
    record Direct(MessageListener listener) implements Outlet {

        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            listener.received(key, payload, partition);
            return true;
        }
    }

    /** Passes on a copy of the payload, for delivery modes in which the sender may reuse its array after the send. */
    record Copying(Outlet next) implements Outlet {

        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            return next.hasRoom(partition, 1) && next.accept(producerId, key, payload.clone(), partition);
        }

        @Override
        public boolean hasRoom(int partition, int messages) {
            return next.hasRoom(partition, messages);
        }
    }

    /** Passes a message to the consumer that owns its partition. */
    record Partitioned(List<Outlet> ofPartition) implements Outlet {

        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            return ofPartition.get(partition).accept(producerId, key, payload, partition);
        }

        @Override
        public boolean hasRoom(int partition, int messages) {
            return ofPartition.get(partition).hasRoom(partition, messages);
        }
    }

    /** See {@link #fanOut}. */
    record FanOut(List<Outlet> subscriptions) implements Outlet {

        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            if (!hasRoom(partition, 1)) {
                return false;
            }
            for (Outlet subscription : subscriptions) {
                subscription.accept(producerId, key, payload, partition);
            }
            return true;
        }

        @Override
        public boolean hasRoom(int partition, int messages) {
            for (Outlet subscription : subscriptions) {
                if (!subscription.hasRoom(partition, messages)) {
                    return false;
                }
            }
            return true;
        }
    }
}
