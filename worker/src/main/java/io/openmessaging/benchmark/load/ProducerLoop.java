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
 * Sends the messages of some producers, in turn, each at the time that its schedule gives.
 *
 * <p>The loop reads the clock once per message. If a send is late, for whatever reason, the schedule does not shift:
 * messages that have become due are sent at once, each with its intended send time. The rate is that of all producers
 * together: a producer with {@linkplain WindowedProducer too many unconfirmed messages} is skipped, and a message
 * waits only while all producers have too many.
 *
 * <p>The loop runs on a thread of its own; {@link #changeRate}, {@link #stop()} and {@link #awaitEnd} may be called
 * from any other thread.
 */
public final class ProducerLoop {

    /** A new rate from a given time on. */
    private record RateChange(long fromNs, RateProfile profile) {}

    /**
     * The messages that a loop sends.
     *
     * @param producers at least one
     * @param schedule when to send
     * @param quota number of messages after which the loop ends, {@link Long#MAX_VALUE} for no end
     * @param payloads the payloads, in arrays that belong to the loop
     * @param keys the keys
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
     * Changes that the loop has not applied yet. Unsent messages are counted per rate, and a rate without a limit has
     * no start or end of its own, so no change may be skipped.
     */
    private final Queue<RateChange> rateChanges = new ConcurrentLinkedQueue<>();

    private long nextChangeNs = Schedule.NEVER;
    private long beginNs = Long.MIN_VALUE;

    /**
     * The value of {@link #beginNs} plus the delay of the first message; without a limit, the first message's send
     * time. 0 before the first message.
     */
    private volatile long beganNs;

    private volatile boolean running = true;

    /** Intended end of the load; valid once {@link #running} is false. */
    private volatile long stopNs;

    /**
     * True if the loop has to look at anything besides the next message. One flag, so that the loop reads one volatile
     * per message instead of several.
     */
    private volatile boolean called;

    /**
     * Creates a loop without starting it.
     *
     * @param name the name of the thread
     * @param stats counts the messages sent
     * @param clock epoch nanoseconds
     * @param pacer waits until messages are due
     * @param onFailure called on the loop's thread if the loop ends with an error
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

    public void start() {
        thread.start();
    }

    /** Starts the loop, but sends nothing before the given time, even at a rate without a limit. */
    public void startAt(long timeNs) {
        beginNs = timeNs;
        start();
    }

    /**
     * Changes the rate from the given time on. A loop that is blocked in a send applies the change when the send
     * returns; its debt then follows from the rates and their times.
     *
     * @param fromNs not before the time of a change that is already in force; pending changes from that time on are
     *     dropped
     * @param profile the rates, counted from that time
     */
    public void changeRate(long fromNs, RateProfile profile) {
        rateChanges.removeIf(change -> change.fromNs >= fromNs);
        rateChanges.add(new RateChange(fromNs, profile));
        called = true;
        LockSupport.unpark(thread);
    }

    /**
     * Asks the loop to end after the message it is sending. Messages due by now and not sent are reported as unsent.
     */
    public void stop() {
        if (running) {
            stopNs = clock.getAsLong();
        }
        running = false;
        called = true;
        LockSupport.unpark(thread);
    }

    /** Does the same as {@link #stop()}, and also interrupts a send that blocks. */
    public void interrupt() {
        stop();
        thread.interrupt();
    }

    /** Waits for the loop to end; returns whether it ended in time. */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(Math.max(1, timeoutMs));
        return !thread.isAlive();
    }

    /**
     * Returns when the loop started: its intended start plus the delay of its first message; empty if it has sent
     * none.
     */
    public OptionalLong beganNs() {
        return beganNs == 0 ? OptionalLong.empty() : OptionalLong.of(beganNs);
    }

    /** Returns whether the loop has ended: it was stopped, has sent its quota, or has failed. */
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
            // Read when there is room, and before rate changes are applied: if the thread is held up in between, it
            // sends nothing at a rate that had ended by then.
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

    /** Reports unsent messages; none if the loop has sent its quota. */
    private void reportDebt() {
        long nowNs = clock.getAsLong();
        listen(nowNs);
        Debt.tell(work.schedule, stopNs, work.quota - stats.sent(), nowNs, stats);
    }

    /** Applies the rate changes whose time has come; returns false if the loop was asked to end. */
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
