package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** One direction of a connection: bytes that are passed on in their order, each when it is due. Used by one thread. */
final class DelayLine {

    /**
     * The sender is left waiting beyond this, as it is by a network. In a delay of 25 ms each way, 160 MB/s pass through
     * a connection.
     */
    static final long MOST_BYTES = 4L << 20;

    /** Due times of this are never. */
    static final long NEVER = Long.MAX_VALUE;

    /** Bytes and when they are due. */
    private record Chunk(ByteBuffer bytes, long dueNs) {}

    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private long queuedBytes;
    private long lastDueNs = Long.MIN_VALUE;
    private boolean ending;
    private boolean ended;
    private boolean blocked;

    /**
     * Takes bytes; they do not overtake others.
     *
     * @param bytes what it copies
     */
    void add(ByteBuffer bytes, long dueNs) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes).flip();
        lastDueNs = Math.max(lastDueNs, dueNs);
        queuedBytes += copy.remaining();
        chunks.add(new Chunk(copy, lastDueNs));
    }

    /** There will be no more bytes: the end, too, is passed on when it is due. */
    void end(long dueNs) {
        ending = true;
        lastDueNs = Math.max(lastDueNs, dueNs);
    }

    /** Passes on what is due, as far as the receiver takes it. */
    void pass(SocketChannel to, long nowNs) throws IOException {
        blocked = false;
        Chunk next = chunks.peek();
        while (next != null && next.dueNs <= nowNs && !blocked) {
            queuedBytes -= to.write(next.bytes);
            if (next.bytes.hasRemaining()) {
                blocked = true;
            } else {
                chunks.remove();
                next = chunks.peek();
            }
        }
        if (chunks.isEmpty() && ending && !ended && lastDueNs <= nowNs) {
            to.shutdownOutput();
            ended = true;
        }
    }

    /** When it is to be called next; {@link #NEVER} if only the sender or the receiver can change something. */
    long nextNs() {
        Chunk next = chunks.peek();
        if (blocked || ended) {
            return NEVER;
        }
        return next != null ? next.dueNs : ending ? lastDueNs : NEVER;
    }

    /** Whether the receiver takes no more at the moment. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether more is to be read from the sender. */
    boolean wantsMore() {
        return !ending && queuedBytes < MOST_BYTES;
    }

    /** Whether all was passed on, the end as well. */
    boolean hasEnded() {
        return ended;
    }
}
