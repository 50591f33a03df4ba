package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.MessageListener;
import org.jspecify.annotations.Nullable;

/** Calls the listener on the sender's thread. */
record DirectOutlet(MessageListener listener) implements Outlet {

    @Override
    public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
        listener.received(key, payload, partition);
        return true;
    }

    @Override
    public boolean hasRoom(int partition, int messages) {
        return true;
    }
}
