package io.openmessaging.benchmark.driver.rabbitmq.confirm;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of the messages that one producer has sent and the broker has not answered yet: a ring of slots, indexed by
 * sequence number. It allocates nothing per message; slots are allocated in segments, on first use.
 *
 * <p>Sequence numbers start at 1, like a channel's. The single sending thread fills a slot, and the answering thread
 * empties it: the connection's reading thread ({@link #confirm}), one of stream-client's threads ({@link
 * #confirmSlot}), or any thread that gives up ({@link #failAll}). Emptying is a compare-and-set, so each callback is
 * called once, by the first of them. If the next slot is taken, the number of unanswered messages has reached the
 * window, and the sending thread waits.
 */
public final class ConfirmRing {

    /** Long enough for a confirm that is about to arrive; parking and waking up costs some 50 µs. */
    private static final int SPINS = 100;

    /** A waiting thread waits until this part of the window is free: waking up for each slot is expensive. */
    private static final int WAKE_UP_PART = 4;

    /** Slots per segment: each of a thousand producers with a few messages in flight has one segment. */
    private static final int SEGMENT = 256;

    private final int window;
    private final int slack;

    /** Segments by number; null until used. */
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable SendCallback>> segments;

    /** Sequence number of the callback in the same slot; written before the callback. Null for a ring of slots only. */
    private final @Nullable AtomicLongArray sequences;

    private final Sending sending = new Sending();

    /** All lower numbers are answered. Used by the answering thread. */
    private long lowest = 1;

    private volatile @Nullable Thread waiting;
    private volatile int awaitedSlot;
    private volatile @Nullable Throwable closedBy;

    /**
     * Creates an empty ring.
     *
     * @param window number of messages that may be unanswered, at least 1
     */
    public ConfirmRing(int window) {
        this(window, window, new AtomicLongArray(window));
    }

    /**
     * Creates a ring for a client that calls back for each message. It supports {@link #confirmSlot}, not {@link
     * #confirm}, and takes no more memory than the messages in flight need: there may be thousands of such rings.
     */
    public static ConfirmRing ofSlots(int window) {
        return new ConfirmRing(window, Math.min(window, SEGMENT), null);
    }

    private ConfirmRing(int window, int used, @Nullable AtomicLongArray sequences) {
        this.window = window;
        this.sending.used = used;
        this.slack = Math.max(0, window / WAKE_UP_PART - 1);
        this.segments = new AtomicReferenceArray<>((window + SEGMENT - 1) / SEGMENT);
        this.sequences = sequences;
    }

    /**
     * Fields that the sending thread writes for each message, padded by two cache lines on either side. When they
     * shared a line with fields that answering threads read for each answer, this took a third of the samples of a
     * profile of streams. A virtual machine lays out the fields of a superclass before those of its subclasses.
     */
    @SuppressWarnings({"unused", "MultipleVariableDeclarations"})
    private static final class Sending extends Position {
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
    }

    private abstract static class Position extends RingPadding {

        /** Slot for the next message. */
        int nextSlot;

        /** Number of slots in use. A ring of slots starts with a few and grows while they are taken. */
        int used;

        /** Sequence number of the next message. */
        long nextSequence = 1;

        /** The last number assigned; read by threads that answer by number. */
        volatile long lastSequence;
    }

    @SuppressWarnings({"unused", "MultipleVariableDeclarations"})
    private abstract static class RingPadding {
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
    }

    // Slots

    /** Null if the segment was never used. */
    private @Nullable AtomicReferenceArray<@Nullable SendCallback> segment(int slot) {
        return segments.getAcquire(slot / SEGMENT);
    }

    private @Nullable SendCallback callback(int slot) {
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        return segment == null ? null : segment.getAcquire(slot % SEGMENT);
    }

    /** Totally ordered with the accesses to {@code waiting}, so that no wakeup is lost. */
    private boolean isTaken(int slot) {
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        return segment != null && segment.get(slot % SEGMENT) != null;
    }

    private void fill(int slot, SendCallback callback) {
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        if (segment == null) {
            segment = new AtomicReferenceArray<>(SEGMENT);
            segments.setRelease(slot / SEGMENT, segment);
        }
        segment.setRelease(slot % SEGMENT, callback);
    }

    // Sending thread

    /**
     * Adds a message, waiting for a free slot if necessary. If the ring is closed, the callback fails.
     *
     * @return the message's sequence number; 0 if the ring is closed and the message must not be sent
     */
    public long add(SendCallback callback) throws InterruptedException {
        return addTo(freeSlot(), callback);
    }

    /**
     * Adds a message to a ring of slots, like {@link #add}.
     *
     * @return the message's slot; -1 if the ring is closed and the message must not be sent
     */
    public int addToSlot(SendCallback callback) throws InterruptedException {
        int slot = freeSlot();
        return addTo(slot, callback) == 0 ? -1 : slot;
    }

    private int freeSlot() throws InterruptedException {
        int slot = sending.nextSlot;
        if (callback(slot) != null) {
            if (sending.used < window) {
                slot = sending.used;
                sending.used = Math.min(window, 2 * sending.used);
                sending.nextSlot = slot;
            } else {
                awaitRoom(slot);
            }
        }
        return slot;
    }

    private long addTo(int slot, SendCallback callback) {
        Throwable cause = closedBy;
        if (cause != null) {
            callback.failed(cause);
            return 0;
        }
        long sequence = sending.nextSequence++;
        sending.nextSlot = slot + 1 == sending.used ? 0 : slot + 1;
        if (sequences != null) {
            sequences.setPlain(slot, sequence);
        }
        fill(slot, callback);
        sending.lastSequence = sequence;
        cause = closedBy;
        if (cause != null) {
            // Closed meanwhile, perhaps without seeing this message.
            failSlot(slot, cause);
            return 0;
        }
        return sequence;
    }

    private int slotOf(long sequence) {
        return (int) ((sequence - 1) % window);
    }

    /** Takes back the last message added, which was not sent and never will be; frees its number. */
    public void takeBack(Throwable cause) {
        sending.nextSequence--;
        sending.nextSlot = sending.nextSlot == 0 ? window - 1 : sending.nextSlot - 1;
        failSlot(sending.nextSlot, cause);
    }

    private void awaitRoom(int slot) throws InterruptedException {
        for (int i = 0; i < SPINS; i++) {
            if (callback(slot) == null) {
                return;
            }
            Thread.onSpinWait();
        }
        awaitEmpty((slot + slack) % window, null);
        // If answers arrive out of order, the needed slot may be freed later than the awaited one.
        awaitEmpty(slot, null);
    }

    private boolean awaitEmpty(int slot, @Nullable Deadline deadline) throws InterruptedException {
        awaitedSlot = slot;
        try {
            while (true) {
                // Set it each time: the thread that wakes this one up clears it.
                waiting = Thread.currentThread();
                if (!isTaken(slot)) {
                    return true;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for the broker's confirms.");
                }
                if (deadline != null && deadline.hasPassed()) {
                    return false;
                }
                LockSupport.parkNanos(this, deadline == null ? Long.MAX_VALUE : deadline.leftNs());
            }
        } finally {
            waiting = null;
        }
    }

    /** Waits until every message is answered; returns false if the deadline passes first. */
    boolean awaitAllAnswered(Deadline deadline) throws InterruptedException {
        for (int slot = 0; slot < window; slot++) {
            if (callback(slot) != null && !awaitEmpty(slot, deadline)) {
                return false;
            }
        }
        return true;
    }

    /** Number of unanswered messages; exact only without concurrent calls. */
    public long unanswered() {
        return IntStream.range(0, window).filter(slot -> callback(slot) != null).count();
    }

    // Answering thread

    /**
     * Answers one message, or all unanswered ones up to it. Called by one thread at a time. Ignores numbers that were
     * never assigned or are answered already.
     */
    public void confirm(long sequence, boolean multiple, Consumer<SendCallback> answer) {
        long last = Math.min(sequence, sending.lastSequence);
        if (multiple) {
            for (long s = lowest; s <= last; s++) {
                answer(s, answer);
            }
            lowest = Math.max(lowest, last + 1);
        } else if (last == sequence && sequence >= lowest) {
            answer(sequence, answer);
            if (sequence == lowest) {
                lowest++;
            }
        }
        wakeUp();
    }

    private void answer(long sequence, Consumer<SendCallback> answer) {
        int slot = slotOf(sequence);
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        SendCallback callback = segment == null ? null : segment.getAcquire(slot % SEGMENT);
        // The slot may have been emptied and refilled, for a number higher by the window.
        boolean itsOwn = Objects.requireNonNull(sequences, "a ring of numbers").getPlain(slot) == sequence;
        if (segment != null && callback != null && itsOwn && segment.compareAndSet(slot % SEGMENT, callback, null)) {
            answer.accept(callback);
        }
    }

    /** Answers the message in a slot. For clients that call back for each message; from any thread. */
    public void confirmSlot(int slot, Consumer<SendCallback> answer) {
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        SendCallback callback = segment == null ? null : segment.getAndSet(slot % SEGMENT, null);
        if (callback != null) {
            answer.accept(callback);
        }
        wakeUp();
    }

    // Any thread

    /** Fails every unanswered message, and every message added later. */
    public void failAll(Throwable cause) {
        if (closedBy == null) {
            closedBy = cause;
        }
        for (int slot = 0; slot < window; slot++) {
            failSlot(slot, cause);
        }
    }

    /** Fails the message in a slot, if any. */
    public void failSlot(int slot, Throwable cause) {
        confirmSlot(slot, callback -> callback.failed(cause));
    }

    /**
     * Closes a producer: waits for outstanding answers, fails messages still unanswered, and releases the client. If
     * the thread is interrupted, this stops waiting and sets the interrupt status again at the end.
     *
     * @param deadline several rings may be closed in turn within one
     * @param release receives whether the broker has answered in time
     */
    public void close(Deadline deadline, Consumer<Boolean> release) {
        boolean interrupted = Thread.interrupted();
        boolean inTime = true;
        try {
            if (!interrupted && !awaitAllAnswered(deadline)) {
                inTime = false;
                failAll(deadline.missed("the broker's confirms of " + unanswered() + " messages", null));
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            failAll();
            release.accept(inTime);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Fails the messages of a producer that is closed before they are answered. */
    public void failAll() {
        failAll(new DriverException("The producer was closed before the broker confirmed the message"));
    }

    private void wakeUp() {
        Thread thread = waiting;
        if (thread != null && !isTaken(awaitedSlot)) {
            // Further answers before the thread runs need not wake it up again. If it waits for another slot by now, it
            // wakes up once in vain.
            waiting = null;
            LockSupport.unpark(thread);
        }
    }
}
