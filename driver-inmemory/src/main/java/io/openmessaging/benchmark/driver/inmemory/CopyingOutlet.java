package io.openmessaging.benchmark.driver.inmemory;

import org.jspecify.annotations.Nullable;

/** Hands on a copy of the payload, where the sender's array is the sender's again after the send. */
record CopyingOutlet(Outlet next) implements Outlet {

    @Override
    public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
        return next.hasRoom(partition, 1) && next.accept(producerId, key, payload.clone(), partition);
    }

    @Override
    public boolean hasRoom(int partition, int messages) {
        return next.hasRoom(partition, messages);
    }
}
