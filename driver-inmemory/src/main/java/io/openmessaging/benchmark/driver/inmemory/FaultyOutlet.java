package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.inmemory.Faults.Picks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Loses, duplicates, swaps and damages messages of one subscription, and reports poll errors. */
final class FaultyOutlet implements Outlet {

    /** A stream of messages whose order is kept. */
    private record OrderKey(int producerId, int partition) {}

    /** Largest number of messages that one message can release: itself twice and the one that waits for it. */
    private static final int MAX_MESSAGES_LET_OUT = 3;

    private final Faults faults;
    private final DriverEvents events;
    private final Picks lose;
    private final Picks duplicate;
    private final Picks swap;
    private final Picks damage;
    private final Picks pollError;
    private final Map<OrderKey, Message> heldBack = new HashMap<>();
    private long nextIndex;
    private Outlet next = NOBODY;

    /** Creates an outlet whose message count starts at 0. */
    FaultyOutlet(Faults faults, DriverEvents events) {
        this.faults = faults;
        this.events = events;
        this.lose = new Picks(faults.loseEvery(), faults.lose());
        this.duplicate = new Picks(faults.duplicateEvery(), faults.duplicate());
        this.swap = new Picks(faults.swapEvery(), faults.swap());
        this.damage = new Picks(faults.damageEvery(), faults.damage());
        this.pollError = new Picks(faults.pollErrorEvery(), List.of());
    }

    /** Sets the next outlet; the count and the messages held back stay. */
    void setNext(Outlet next) {
        this.next = next;
    }

    @Override
    public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
        if (!next.hasRoom(partition, MAX_MESSAGES_LET_OUT)) {
            return false;
        }
        if (faults.count(payload)) {
            acceptCounted(producerId, key, payload, partition);
        } else {
            next.accept(producerId, key, payload, partition);
        }
        return true;
    }

    private void acceptCounted(int producerId, @Nullable String key, byte[] sent, int partition) {
        long index = nextIndex++;
        boolean lost = lose.contain(index);
        boolean duplicated = duplicate.contain(index);
        boolean swapped = swap.contain(index);
        byte[] payload = damage.contain(index) ? damaged(sent) : sent;
        if (pollError.contain(index)) {
            events.clientError(
                    "consumer poll",
                    new DriverException("Poll error requested by faults.pollErrorEvery, message " + index));
        }
        if (lost) {
            return;
        }
        OrderKey stream = new OrderKey(producerId, partition);
        Message waiting = heldBack.get(stream);
        if (swapped && !duplicated && waiting == null) {
            heldBack.put(stream, new Message(key, payload.clone(), partition, 0));
            return;
        }
        next.accept(producerId, key, payload, partition);
        if (duplicated) {
            next.accept(producerId, key, payload, partition);
        }
        if (waiting != null) {
            heldBack.remove(stream);
            next.accept(producerId, waiting.key(), waiting.payload(), partition);
        }
    }

    private static byte[] damaged(byte[] sent) {
        byte[] payload = sent.clone();
        if (payload.length > 0) {
            payload[payload.length - 1] ^= 1;
        }
        return payload;
    }

    /** Releases the held-back messages of a producer, as far as there is room; returns whether all were released. */
    boolean releaseHeldBack(int producerId) {
        for (OrderKey stream : new ArrayList<>(heldBack.keySet())) {
            Message waiting = heldBack.get(stream);
            if (waiting != null && stream.producerId() == producerId) {
                if (!next.accept(producerId, waiting.key(), waiting.payload(), stream.partition())) {
                    return false;
                }
                heldBack.remove(stream);
            }
        }
        return true;
    }

    @Override
    public boolean hasRoom(int partition, int messages) {
        return next.hasRoom(partition, messages * MAX_MESSAGES_LET_OUT);
    }
}
