package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between one thread that puts and one that takes. Either may be replaced by another thread with a
 * happens-before edge.
 *
 * <p>JCTools' queue for one reader and one writer is as fast, but those that use {@code sun.misc.Unsafe} make newer JDKs
 * warn on the console, and the others ask both sides' counts for what the room for several messages is one read here.
 */
final class Ring {

    private final AtomicReferenceArray<@Nullable Message> slots;
    private final int mask;
    private int putIndex;
    private int takeIndex;

    /** With room for as many messages, rounded up to a power of two. */
    Ring(int capacity) {
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** Whether that many can be put, as seen by the thread that puts. */
    boolean hasRoom(int messages) {
        // Slots are emptied in order: if the last of them is empty, so are those before it.
        return messages <= mask + 1 && slots.getAcquire((putIndex + messages - 1) & mask) == null;
    }

    /** Puts a message for which there is room. */
    void put(Message message) {
        slots.setRelease(putIndex++ & mask, message);
    }

    /** The message to be taken next, or null, as seen by the thread that takes. */
    @Nullable
    Message peek() {
        return slots.getAcquire(takeIndex & mask);
    }

    /** Takes the message that {@link #peek} has shown. */
    void remove() {
        slots.setRelease(takeIndex++ & mask, null);
    }
}
