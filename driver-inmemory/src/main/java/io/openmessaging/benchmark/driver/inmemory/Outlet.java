package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.MessageListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a message's way to the consumers. Only used inside the topic's {@link Gate}. */
interface Outlet {

    /** Where the messages of a topic without subscriptions go. */
    Outlet NOBODY = fanOut(List.of());

    /** Where the messages of a deleted topic do not go. */
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
     * Takes a message, or returns false and has done nothing if there is no room for it.
     *
     * @param producerId the producer that sent it
     * @param payload belongs to the sender again afterwards where delivery is direct
     */
    boolean accept(int producerId, @Nullable String key, byte[] payload, int partition);

    /** Whether that many messages of the partition would be taken now. */
    default boolean hasRoom(int partition, int messages) {
        return true;
    }

    /** Hands a message to every subscription, or to none as long as one of them has no room. */
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

    /** Hands on a copy of the payload, where the sender's array is the sender's again after the send. */
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

    /** Hands a message to the consumer that owns its partition. */
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
