package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Delivers on its own thread. Senders put messages into a bounded ring; while the consumer is paused, or messages are
 * not due yet, the thread moves them from there to a backlog, as far as the budget allows. Beyond that, the ring fills
 * up.
 */
final class QueuedOutlet implements Outlet {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final int SPINS_BEFORE_PARKING = 200;
    private static final long NO_MESSAGE_PARK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Short, since nothing wakes this thread when another consumer's backlog releases memory. */
    private static final long NO_BUDGET_PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final InMemoryConsumer consumer;
    private final Ring ring;
    private final BacklogBudget budget;
    private final long delayNs;
    private final ArrayDeque<Message> backlog;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean parked;

    /** Creates an outlet that is not yet started, with messages to deliver first. */
    QueuedOutlet(InMemoryConsumer consumer, InMemoryConfig config, BacklogBudget budget, List<Message> undelivered) {
        this.consumer = consumer;
        this.ring = new Ring(config.queueCapacity());
        this.budget = budget;
        this.delayNs = config.deliveryDelay().toNanos();
        this.backlog = new ArrayDeque<>(undelivered);
        undelivered.forEach(budget::take);
        this.thread = DriverThreads.of(QueuedOutlet.class).daemon(this::run, consumer.name());
    }

    void start() {
        thread.start();
    }

    void setPaused(boolean paused) {
        this.paused = paused;
        LockSupport.unpark(thread);
    }

    /**
     * Ends the thread, after the listener's current call if there is one. No messages may be put any more.
     *
     * @return the undelivered messages, in order
     */
    List<Message> stop() throws DriverException {
        stopping = true;
        LockSupport.unpark(thread);
        // A partial stop would lose messages, so an interrupt does not shorten the wait for the listener.
        Deadline limit = Deadline.in(STOP_LIMIT);
        if (!limit.awaitEnd(ended)) {
            throw limit.missed("the listener of " + consumer.name() + " to return.", null);
        }
        List<Message> undelivered = new ArrayList<>(backlog);
        backlog.forEach(budget::giveBack);
        backlog.clear();
        for (Message message = ring.peek(); message != null; message = ring.peek()) {
            ring.remove();
            undelivered.add(message);
        }
        return undelivered;
    }

    @Override
    public boolean accept(int producerId, @Nullable String key, byte[] payload, int partition) {
        if (!ring.hasRoom(1)) {
            return false;
        }
        ring.put(new Message(key, payload, partition, delayNs == 0 ? 0 : System.nanoTime() + delayNs));
        // Either this thread sees that the other one has parked, or the other one sees the message before it parks.
        VarHandle.fullFence();
        if (parked) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    @Override
    public boolean hasRoom(int partition, int messages) {
        return ring.hasRoom(messages);
    }

    boolean isStopping() {
        return stopping;
    }

    /** Returns whether nothing is left to deliver, as seen by this queue's thread. */
    boolean isEmpty() {
        return head() == null;
    }

    private @Nullable Message head() {
        Message oldest = backlog.peekFirst();
        return oldest == null ? ring.peek() : oldest;
    }

    private void run() {
        try {
            deliverUntilStopped();
        } catch (RuntimeException | Error e) {
            consumer.events().fatal(e);
        } finally {
            ended.complete(null);
        }
    }

    private void deliverUntilStopped() {
        int idleRounds = 0;
        while (!stopping) {
            Message head = head();
            if (paused || (head != null && dueInNs(head) > 0)) {
                storeAndPark(head);
            } else if (head != null) {
                idleRounds = 0;
                removeHead();
                consumer.spec().listener().received(head.key(), head.payload(), head.partition());
            } else if (consumer.endsQueue(this)) {
                return;
            } else if (++idleRounds < SPINS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else {
                park(NO_MESSAGE_PARK_NS);
            }
        }
    }

    private long dueInNs(Message message) {
        return delayNs == 0 ? 0 : message.dueNs() - System.nanoTime();
    }

    private void removeHead() {
        Message oldest = backlog.pollFirst();
        if (oldest == null) {
            ring.remove();
        } else {
            budget.giveBack(oldest);
        }
    }

    private void storeAndPark(@Nullable Message head) {
        for (Message message = ring.peek(); message != null; message = ring.peek()) {
            if (!budget.tryTake(message)) {
                LockSupport.parkNanos(this, NO_BUDGET_PARK_NS);
                return;
            }
            ring.remove();
            backlog.addLast(message);
        }
        park(paused || head == null ? NO_MESSAGE_PARK_NS : dueInNs(head));
    }

    private void park(long limitNs) {
        parked = true;
        if (ring.peek() == null && !stopping) {
            LockSupport.parkNanos(this, limitNs);
        }
        parked = false;
    }
}
