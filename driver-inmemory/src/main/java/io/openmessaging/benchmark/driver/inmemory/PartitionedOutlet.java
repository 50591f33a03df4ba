package io.openmessaging.benchmark.driver.inmemory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands a message to the consumer that owns its partition. */
final class PartitionedOutlet implements Outlet {

    private final Outlet[] ofPartition;

    PartitionedOutlet(List<Outlet> ofPartition) {
        this.ofPartition = ofPartition.toArray(Outlet[]::new);
    }

    @Override
    public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
        return ofPartition[partition].accept(producerId, key, payload, partition);
    }

    @Override
    public boolean hasRoom(int partition, int messages) {
        return ofPartition[partition].hasRoom(partition, messages);
    }
}
