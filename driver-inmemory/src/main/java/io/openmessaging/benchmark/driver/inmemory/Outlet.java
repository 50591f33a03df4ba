package io.openmessaging.benchmark.driver.inmemory;

import org.jspecify.annotations.Nullable;

/** A part of a message's way to the consumers. Only used inside the topic's {@link Gate}. */
interface Outlet {

    /** Where the messages of a topic without subscriptions go. */
    Outlet NOBODY = new Outlet() {
        @Override
        public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
            return true;
        }

        @Override
        public boolean hasRoom(int partition, int messages) {
            return true;
        }
    };

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
    boolean hasRoom(int partition, int messages);
}
