package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.PublishStats;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Sends the messages of some producers, in turn, each at the time its schedule gives.
 *
 * <p>The loop reads the clock once a message. When a send is late, for whatever reason, the schedule does not shift: the
 * messages that have become due are sent at once, each with the time at which it should have been sent. The rate is that
 * of all producers together: one that has {@linkplain WindowedProducer too many messages unconfirmed} is passed over, and
 * a message waits only while that holds for all of them.
 *
 * <p>Runs on a thread of its own; {@link #changeRate}, {@link #stop()} and {@link #awaitEnd} may be called from any
 * other.
 */
public final class ProducerLoop {

    /** A new rate, from a moment on. */
    private record RateChange(long fromNs, RateProfile profile) {}

    /**
     * What a loop sends.
     *
     * @param producers at least one
     * @param schedule when to send
     * @param quota after how many messages to end, {@link Long#MAX_VALUE} for never
     * @param payloads what to send, in arrays that belong to the loop
     * @param keys the keys to send
     */
    public record Work(
            List<LoadedProducer> producers, Schedule schedule, long quota, Payloads payloads, KeyDistributor keys) {}

    private final Work work;
    private final PublishStats stats;
    private final LongSupplier clock;
    private final Pacer pacer;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;

    /**
     * Each change is kept until the loop gets to it, and its time has come: a debt is made of every rate that was in force,
     * and a rate without a limit has neither a begin nor an end of its own.
     */
    private final Queue<RateChange> rateChanges = new ConcurrentLinkedQueue<>();

    private long nextChangeNs = Schedule.NEVER;
    private long beginNs = Long.MIN_VALUE;

    /** By as much later than {@link #beginNs} as the first message was sent later than it was due; 0 before. */
    private volatile long beganNs;

    private volatile boolean running = true;

    /** When the load was to end; of use once {@link #running} is false. */
    private volatile long stopNs;

    /** Whether there is something to look at besides the next message: one read a message instead of several. */
    private volatile boolean called;

    /**
     * A loop that does not run yet.
     *
     * @param name of the thread
     * @param stats counts what is sent
     * @param clock epoch nanoseconds
     * @param pacer waits until messages are due
     * @param onFailure told, on the loop's thread, when the loop ends by an error
     */
    public ProducerLoop(
            String name,
            Work work,
            PublishStats stats,
            LongSupplier clock,
            Pacer pacer,
            Consumer<Throwable> onFailure) {
        this.work = work;
        this.stats = stats;
        this.clock = clock;
        this.pacer = pacer;
        this.onFailure = onFailure;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts to send. */
    public void start() {
        thread.start();
    }

    /** Starts to send, but nothing before a time, also at a rate without a limit. */
    public void startAt(long timeNs) {
        beginNs = timeNs;
        start();
    }

    /**
     * From the given time on, another rate. A loop that is held up in a send notices when that has returned, and then
     * owes what the rates ask for by their times.
     *
     * @param fromNs not before that of a change that holds already; one that was to hold later is not made
     * @param profile of which that time is the begin
     */
    public void changeRate(long fromNs, RateProfile profile) {
        rateChanges.removeIf(change -> change.fromNs >= fromNs);
        rateChanges.add(new RateChange(fromNs, profile));
        called = true;
        LockSupport.unpark(thread);
    }

    /** Asks the loop to end after the message it is sending. What is due by now and then still unsent is told as that. */
    public void stop() {
        if (running) {
            stopNs = clock.getAsLong();
        }
        running = false;
        called = true;
        LockSupport.unpark(thread);
    }

    /** As {@link #stop()}, and ends a send that blocks. */
    public void interrupt() {
        stop();
        thread.interrupt();
    }

    /** Waits for the end; returns whether it came in time. */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(Math.max(1, timeoutMs));
        return !thread.isAlive();
    }

    /** When the loop began: by as much later than it was to as its first message was; empty if it has sent none. */
    public OptionalLong beganNs() {
        return beganNs == 0 ? OptionalLong.empty() : OptionalLong.of(beganNs);
    }

    /** Whether the loop has ended: it was stopped, has sent its quota, or has failed. */
    public boolean ended() {
        return !thread.isAlive();
    }

    private void run() {
        try {
            sendUntilStopped();
            reportDebt();
        } catch (InterruptedException e) {
            // The message that was being sent is accounted for as failed.
            Thread.currentThread().interrupt();
            if (running) {
                onFailure.accept(e);
            } else {
                work.schedule.advance();
                reportDebt();
            }
        } catch (Throwable e) {
            // Whatever a client throws: a thread that just ended would look like a slow one.
            onFailure.accept(e);
        }
    }

    private void sendUntilStopped() throws InterruptedException {
        LoadedProducer[] turn = work.producers.toArray(new LoadedProducer[0]);
        WindowedProducer[] windows = WindowedProducer.of(work.producers, thread);
        Schedule schedule = work.schedule;
        Payloads payloads = work.payloads;
        KeyDistributor keys = work.keys;
        int next = 0;
        for (long left = work.quota; left > 0; ) {
            boolean full = false;
            if (windows != null) {
                next = WindowedProducer.firstWithRoom(windows, next);
                full = windows[next].isFull();
            }
            // Read when there is room, and before changes are heard: a thread that stands still in between sends
            // nothing at a
            // rate that had ended by then.
            long nowNs = clock.getAsLong();
            if (called && !listen(nowNs)) {
                return;
            }
            long dueNs = full ? Schedule.NEVER : schedule.next();
            if (dueNs > nowNs || beginNs > nowNs) {
                pacer.pause(nowNs, Math.min(Math.max(dueNs, beginNs), nextChangeNs));
                continue;
            }
            long intendedNs = dueNs == Schedule.AT_ONCE ? nowNs : dueNs;
            if (left == work.quota) {
                beganNs = dueNs == Schedule.AT_ONCE ? nowNs : beginNs + nowNs - dueNs;
            }
            byte[] payload = payloads.next(next);
            stats.sent(payload.length, intendedNs, nowNs);
            turn[next].send(keys.next(next), payload, intendedNs, nowNs);
            schedule.advance();
            next = next + 1 == turn.length ? 0 : next + 1;
            left--;
        }
    }

    /** Of a loop that has sent its quota nothing is left. */
    private void reportDebt() {
        long nowNs = clock.getAsLong();
        listen(nowNs);
        Debt.tell(work.schedule, stopNs, work.quota - stats.sent(), nowNs, stats);
    }

    /** Takes on the new rates whose time has come; returns false if the loop was asked to end. */
    private boolean listen(long nowNs) {
        called = false;
        RateChange change = rateChanges.peek();
        while (change != null && change.fromNs <= nowNs) {
            work.schedule.change(change.fromNs, change.profile);
            rateChanges.remove(change);
            change = rateChanges.peek();
        }
        nextChangeNs = change == null ? Schedule.NEVER : change.fromNs;
        if (change != null) {
            called = true;
        }
        return running;
    }
}
