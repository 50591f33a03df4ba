package io.openmessaging.benchmark.driver.nats.window;

import io.nats.client.Message;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one producer that have no answer yet, in the slots of a ring. A message gets the first free slot
 * after that of the previous one, so that one whose answer was lost with its server keeps only its own slot. Each
 * answer names its slot and the slot's generation, which changes whenever a message leaves the slot without an answer:
 * an answer that is too late meets another generation and is ignored. Thread-safe; one thread sends.
 */
public final class SendWindow {

    private final @Nullable SendCallback[] callbacks;
    private final @Nullable Message[] messages;
    private final long[] sentNs;
    private final int[] generations;
    private final long[] handedOver;
    private final boolean[] postponed;
    private long lastHandedOver;
    private int next;
    private int waiting;
    private boolean senderWaits;

    /**
     * Creates an empty window.
     *
     * @param size largest number of messages without an answer
     */
    public SendWindow(int size) {
        callbacks = new SendCallback[size];
        messages = new Message[size];
        sentNs = new long[size];
        generations = new int[size];
        handedOver = new long[size];
        postponed = new boolean[size];
    }

    /** Returns the largest number of messages without an answer. */
    public int size() {
        return callbacks.length;
    }

    /**
     * Adds a message, and waits while all slots are taken.
     *
     * @param nowNs time of the send, on the scale of {@link System#nanoTime()}
     * @return its slot
     */
    public synchronized int add(SendCallback callback, long nowNs) throws InterruptedException {
        while (waiting == callbacks.length) {
            senderWaits = true;
            wait();
        }
        senderWaits = false;
        while (callbacks[next] != null) {
            next = after(next);
        }
        int slot = next;
        callbacks[slot] = callback;
        sentNs[slot] = nowNs;
        handedOver[slot] = 0;
        waiting++;
        if (waiting == 1) {
            notifyAll();
        }
        next = after(slot);
        return slot;
    }

    private int after(int slot) {
        return slot + 1 == callbacks.length ? 0 : slot + 1;
    }

    /** Returns the generation of a slot. */
    public synchronized int generation(int slot) {
        return generations[slot];
    }

    /** Notes that the client has the message of a slot. */
    public synchronized void handedOver(int slot) {
        lastHandedOver++;
        handedOver[slot] = lastHandedOver;
    }

    /** Returns how many messages the client was given so far. */
    public synchronized long handedOver() {
        return lastHandedOver;
    }

    /** Keeps what was sent, to send it again; only while it has no answer. */
    public synchronized void keep(int slot, Message message) {
        if (callbacks[slot] != null) {
            messages[slot] = message;
        }
    }

    /**
     * Notes that a kept message is to be sent again later; returns false if it is not kept, or has its answer.
     */
    public synchronized boolean postpone(int slot, int generation) {
        boolean waits = generations[slot] == generation && messages[slot] != null;
        postponed[slot] |= waits;
        return waits;
    }

    /** Takes the message of a slot for its answer; null if it had one, or if it belongs to another generation. */
    public synchronized @Nullable SendCallback answered(int slot, int generation) {
        return generations[slot] == generation ? take(slot) : null;
    }

    private @Nullable SendCallback take(int slot) {
        SendCallback callback = callbacks[slot];
        if (callback != null) {
            callbacks[slot] = null;
            messages[slot] = null;
            postponed[slot] = false;
            waiting--;
            if (senderWaits || waiting == 0) {
                notifyAll();
            }
        }
        return callback;
    }

    /** Takes all messages without an answer. */
    public List<SendCallback> takeAll() {
        return takeIf(slot -> true);
    }

    /** Takes the messages that were sent before a time, on the scale of {@link System#nanoTime()}. */
    public List<SendCallback> takeOlderThan(long ns) {
        return takeIf(slot -> sentNs[slot] - ns < 0);
    }

    /**
     * Takes those of the first messages that the client was given that have no answer yet.
     *
     * @param count number of these first messages, from {@link #handedOver()}
     */
    public List<SendCallback> takeHandedOver(long count) {
        return takeIf(slot -> handedOver[slot] > 0 && handedOver[slot] <= count);
    }

    private synchronized List<SendCallback> takeIf(IntPredicate wanted) {
        List<SendCallback> taken = new ArrayList<>(waiting);
        for (int i = 0; waiting > 0 && i < callbacks.length; i++) {
            int slot = (next + i) % callbacks.length;
            if (callbacks[slot] != null && wanted.test(slot)) {
                generations[slot]++;
                taken.add(take(slot));
            }
        }
        return taken;
    }

    /** A message to send again. */
    public record Unanswered(int slot, int generation, Message message) {}

    /** Returns all kept messages, to send them again: the oldest first, each in a new generation. */
    public List<Unanswered> unanswered() {
        return again(slot -> true);
    }

    /** Returns the postponed messages, in the same way; they are not postponed any more. */
    public List<Unanswered> postponed() {
        return again(slot -> postponed[slot]);
    }

    private synchronized List<Unanswered> again(IntPredicate wanted) {
        List<Unanswered> unanswered = new ArrayList<>();
        for (int i = 0; waiting > 0 && i < callbacks.length; i++) {
            int slot = (next + i) % callbacks.length;
            Message message = messages[slot];
            if (message != null && wanted.test(slot)) {
                generations[slot]++;
                postponed[slot] = false;
                unanswered.add(new Unanswered(slot, generations[slot], message));
            }
        }
        unanswered.sort((one, other) -> Long.signum(sentNs[one.slot()] - sentNs[other.slot()]));
        return unanswered;
    }

    /** Waits until there is a message without an answer. */
    public synchronized void awaitSome() throws InterruptedException {
        while (waiting == 0) {
            wait();
        }
    }

    /** Waits until no message waits for an answer, or the time is over. */
    public synchronized void awaitNone(long limitNs) throws InterruptedException {
        long endNs = System.nanoTime() + limitNs;
        long leftNs = limitNs;
        while (waiting > 0 && leftNs > 0) {
            wait(leftNs / 1_000_000 + 1);
            leftNs = endNs - System.nanoTime();
        }
    }
}
