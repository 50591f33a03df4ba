package io.openmessaging.benchmark.driver.inmemory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands a message to every subscription, or to none as long as one of them has no room. */
final class FanOutOutlet implements Outlet {

    private final Outlet[] subscriptions;

    FanOutOutlet(List<Outlet> subscriptions) {
        this.subscriptions = subscriptions.toArray(Outlet[]::new);
    }

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
