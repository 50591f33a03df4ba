package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between one thread that puts and one that takes. Either may be replaced by another thread with a
 * happens-before edge.
 *
 * <p>JCTools' single-producer single-consumer queues are as fast. But those that use {@code sun.misc.Unsafe} make newer
 * JDKs print warnings, and the others read the counts of both sides to check the room for several messages, which takes
 * one read here.
 */
final class Ring {

    private final AtomicReferenceArray<@Nullable Message> slots;
    private final int mask;
    private int putIndex;
    private int takeIndex;

    /** Creates a ring with room for this number of messages, rounded up to a power of two. */
    Ring(int capacity) {
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** Returns whether that many messages can be put, as seen by the thread that puts. */
    boolean hasRoom(int messages) {
        // Slots are emptied in order: if the last of them is empty, so are the ones before it.
        return messages <= mask + 1 && slots.getAcquire((putIndex + messages - 1) & mask) == null;
    }

    /** Puts a message for which there is room. */
    void put(Message message) {
        slots.setRelease(putIndex++ & mask, message);
    }

    /** Returns the next message to take, or null, as seen by the thread that takes. */
    @Nullable
    Message peek() {
        return slots.getAcquire(takeIndex & mask);
    }

    /** Removes the message that {@link #peek} returned. */
    void remove() {
        slots.setRelease(takeIndex++ & mask, null);
    }
}
