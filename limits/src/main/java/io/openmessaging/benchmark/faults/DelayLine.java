package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** One direction of a connection: passes on bytes in order, each when it is due. Used by one thread. */
final class DelayLine {

    /**
     * Queued bytes beyond which the sender has to wait, as it does on a network. With a delay of 25 ms each way, 160
     * MB/s pass through a connection.
     */
    static final long MOST_BYTES = 4L << 20;

    /** Due time for "never". */
    static final long NEVER = Long.MAX_VALUE;

    private record Chunk(ByteBuffer bytes, long dueNs) {}

    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private long queuedBytes;
    private long lastDueNs = Long.MIN_VALUE;
    private boolean ending;
    private boolean ended;
    private boolean blocked;

    /**
     * Adds bytes; they do not overtake earlier ones.
     *
     * @param bytes copied by this method
     */
    void add(ByteBuffer bytes, long dueNs) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes).flip();
        lastDueNs = Math.max(lastDueNs, dueNs);
        queuedBytes += copy.remaining();
        chunks.add(new Chunk(copy, lastDueNs));
    }

    /** Marks the end of the input; the end, too, is passed on when it is due. */
    void end(long dueNs) {
        ending = true;
        lastDueNs = Math.max(lastDueNs, dueNs);
    }

    /** Passes on what is due, as far as the receiver accepts it. */
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

    /** Returns the time of the next call; {@link #NEVER} if only the sender or the receiver can change something. */
    long nextNs() {
        Chunk next = chunks.peek();
        if (blocked || ended) {
            return NEVER;
        }
        return next != null ? next.dueNs : ending ? lastDueNs : NEVER;
    }

    /** Returns whether the receiver accepts no more at the moment. */
    boolean isBlocked() {
        return blocked;
    }

    /** Returns whether more should be read from the sender. */
    boolean wantsMore() {
        return !ending && queuedBytes < MOST_BYTES;
    }

    /** Returns whether everything was passed on, including the end. */
    boolean hasEnded() {
        return ended;
    }
}
