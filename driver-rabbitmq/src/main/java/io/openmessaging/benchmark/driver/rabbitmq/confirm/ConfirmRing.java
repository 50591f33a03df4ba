package io.openmessaging.benchmark.driver.rabbitmq.confirm;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of the messages that one producer has sent and the broker has not answered yet: a ring of slots, indexed
 * by sequence number. Nothing is allocated for a message; the slots are allocated in segments, as they are first used.
 *
 * <p>Sequence numbers begin with 1, as a channel's do. A slot is filled by the one sending thread, and emptied by
 * whoever answers: the connection's reading thread ({@link #confirm}), stream-client's threads ({@link #confirmSlot}),
 * or any thread that gives up ({@link #failAll}). Emptying is a compare-and-set, so a callback is called once, whoever
 * comes first. While the next slot is taken, as many messages are unanswered as the window allows, and the sending
 * thread waits.
 */
public final class ConfirmRing {

    /** Long enough for a confirm that is already on its way; parking and waking up costs some 50 µs. */
    private static final int SPINS = 100;

    /** A thread that has to wait does so until this part of the window is free: waking up for each slot is expensive. */
    private static final int WAKE_UP_PART = 4;

    /** Slots of a segment: of a thousand producers that have a few messages under way, each has one segment. */
    private static final int SEGMENT = 256;

    private final int window;
    private final int slack;

    /** In segments; null until one is used. */
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable SendCallback>> segments;

    /** The sequence number of the callback beside it; written before the callback is. Null for a ring of slots only. */
    private final @Nullable AtomicLongArray sequences;

    private final Sending sending = new Sending();

    /** The answering thread's: all numbers below are answered. */
    private long lowest = 1;

    private volatile @Nullable Thread waiting;
    private volatile int awaitedSlot;
    private volatile @Nullable Throwable closedBy;

    /**
     * An empty ring.
     *
     * @param window how many messages may be unanswered, at least 1
     */
    public ConfirmRing(int window) {
        this(window, window, new AtomicLongArray(window));
    }

    /**
     * One for a client that calls back for each message: it knows {@link #confirmSlot}, not {@link #confirm}, and takes no
     * more memory than the messages under way need. There may be thousands.
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
     * What the sending thread writes with each message, with two cache lines on either side. On one line with what answering
     * threads read for each answer, it took a third of the samples of a profile of streams. A virtual machine lays out the
     * fields of a superclass before those of its subclasses.
     */
    @SuppressWarnings({"unused", "MultipleVariableDeclarations"})
    private static final class Sending extends Position {
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
    }

    private abstract static class Position extends RingPadding {

        /** Where the next message goes. */
        int nextSlot;

        /** How many slots are used. A ring of slots begins with a few and grows while they are taken. */
        int used;

        /** The number of the next message. */
        long nextSequence = 1;

        /** The last number given out; read by answering threads that answer numbers. */
        volatile long lastSequence;
    }

    @SuppressWarnings({"unused", "MultipleVariableDeclarations"})
    private abstract static class RingPadding {
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
    }

    // The slots

    /** Null if nothing was ever there. */
    private @Nullable AtomicReferenceArray<@Nullable SendCallback> segment(int slot) {
        return segments.getAcquire(slot / SEGMENT);
    }

    private @Nullable SendCallback callback(int slot) {
        AtomicReferenceArray<@Nullable SendCallback> segment = segment(slot);
        return segment == null ? null : segment.getAcquire(slot % SEGMENT);
    }

    /** In one order with what is said of the thread that waits for it. */
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

    // The sending thread

    /**
     * Takes a message in, waiting for a free slot if there is none. If the ring is closed the callback is told so.
     *
     * @return the message's sequence number; 0 if the ring is closed and the message must not be sent
     */
    public long add(SendCallback callback) throws InterruptedException {
        return addTo(freeSlot(), callback);
    }

    /**
     * The same for a ring of slots.
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
            // Closed meanwhile, maybe without having seen this one.
            failSlot(slot, cause);
            return 0;
        }
        return sequence;
    }

    private int slotOf(long sequence) {
        return (int) ((sequence - 1) % window);
    }

    /** The message that was added last has not been sent and never will be: its number is free again. */
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
        // Where answers come out of order, the one that is needed may be later than the one that was waited for.
        awaitEmpty(slot, null);
    }

    private boolean awaitEmpty(int slot, @Nullable Deadline deadline) throws InterruptedException {
        awaitedSlot = slot;
        try {
            while (true) {
                // Each time: who wakes a thread up clears it.
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

    /** Waits until every message is answered; returns whether that was in time. */
    boolean awaitAllAnswered(Deadline deadline) throws InterruptedException {
        for (int slot = 0; slot < window; slot++) {
            if (callback(slot) != null && !awaitEmpty(slot, deadline)) {
                return false;
            }
        }
        return true;
    }

    /** How many messages are unanswered; exact while nothing happens at the same time. */
    public long unanswered() {
        return IntStream.range(0, window).filter(slot -> callback(slot) != null).count();
    }

    // The answering thread

    /**
     * Answers one message, or all up to it that are not answered yet. Called by one thread at a time. Numbers that were
     * never given out, or are answered already, are passed over.
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
        // The slot may have been emptied and filled again, for a number that is higher by the window.
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

    /** Fails every message that is not answered yet, and each that is added later. */
    public void failAll(Throwable cause) {
        if (closedBy == null) {
            closedBy = cause;
        }
        for (int slot = 0; slot < window; slot++) {
            failSlot(slot, cause);
        }
    }

    /** Fails the message in a slot, if there is one. */
    public void failSlot(int slot, Throwable cause) {
        confirmSlot(slot, callback -> callback.failed(cause));
    }

    /**
     * Ends a producer: waits for what is unanswered, fails what is then still so, and releases the client. If the thread is
     * interrupted, this does not wait any more, and the interrupt status is set afterwards.
     *
     * @param release gets whether the broker has answered in time
     */
    public void close(Duration timeout, Consumer<Boolean> release) {
        close(Deadline.in(timeout), release);
    }

    /** The same, for one of several rings that are closed one after the other within one time. */
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

    /** The same for a producer that is closed before its messages are answered. */
    public void failAll() {
        failAll(new DriverException("The producer was closed before the broker confirmed the message"));
    }

    private void wakeUp() {
        Thread thread = waiting;
        if (thread != null && !isTaken(awaitedSlot)) {
            // The answers that come before the thread runs need not wake it up again. If it waits for another slot by
            // now,
            // it wakes up once too often.
            waiting = null;
            LockSupport.unpark(thread);
        }
    }
}
