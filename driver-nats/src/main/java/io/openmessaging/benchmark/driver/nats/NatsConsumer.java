package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.nats.NatsCalls.THREADS;

import io.nats.client.Message;
import io.nats.client.Subscription;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.PausableReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One consumer: a thread that reads the subscription and calls the listener. While it is paused, it holds what the
 * server has sent without knowing of the pause, and keeps the server from delivering that again; without a stream,
 * messages wait in the client.
 */
final class NatsConsumer extends PausableReader implements BenchmarkConsumer {

    /** Time after which a thread without messages sees that it is to pause or end. */
    private static final Duration WAIT = Duration.ofMillis(200);

    /** Most time that a listener should take for the messages that were requested at once. */
    private static final long BATCH_LIMIT_NS = Duration.ofMillis(500).toNanos();

    /** How often a held message is touched within the time after which the server delivers it again. */
    private static final int TOUCHES_PER_WAIT = 3;

    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ConsumerSpec spec;
    private final NatsLink link;
    private final Feed feed;
    private final DriverContext context;
    private final MessageListener listener;
    private final int maxBatch;
    private final long touchNs;
    private final boolean mayBlock;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Used by the thread, and before its start by the one that opens the consumer. */
    private @Nullable Subscription subscription;

    /** Messages that have arrived during a pause; used by the thread alone. */
    private final Deque<Message> held = new ArrayDeque<>();

    private long touchedNs;
    private int batch;
    private volatile boolean abandoned;

    NatsConsumer(ConsumerSpec spec, NatsLink link, Feed feed, DriverContext context, NatsConfig config) {
        this.spec = spec;
        this.link = link;
        this.feed = feed;
        this.context = context;
        this.maxBatch = config.pullBatch();
        this.touchNs = config.ackWait().toNanos() / TOUCHES_PER_WAIT;
        this.listener = spec.listener();
        this.mayBlock = listener.mayBlock();
        this.batch = mayBlock ? 1 : maxBatch;
        this.thread = THREADS.daemon(this::run, "nats-consumer-" + spec.id());
    }

    /** Subscribes; the server knows of it once it has answered a {@code PING}. */
    void open() {
        subscription = feed.subscribe();
        link.watch(feed);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            Subscription open = Objects.requireNonNull(subscription, "opened before the start");
            while (!hasEnded()) {
                if (!isPaused()) {
                    readOnce(open);
                } else if (feed.isStored()) {
                    holdOnce(open);
                } else {
                    awaitResumed();
                }
            }
        } catch (InterruptedException e) {
            // The consumer is closed.
        } catch (RuntimeException e) {
            if (!hasEnded()) {
                context.events().fatal(e);
            }
        } finally {
            leave();
            ended.complete(null);
        }
    }

    private void readOnce(Subscription open) throws InterruptedException {
        Message message = held.poll();
        if (message != null) {
            deliver(message);
            return;
        }
        feed.request(batch);
        message = open.nextMessage(WAIT);
        if (message == null) {
            feed.idle();
        } else if (feed.accept(message)) {
            deliver(message);
        }
    }

    private void holdOnce(Subscription open) throws InterruptedException {
        Message message = open.nextMessage(WAIT);
        if (message != null && feed.accept(message)) {
            held.add(message);
        }
        long now = System.nanoTime();
        if (now - touchedNs > touchNs) {
            touchedNs = now;
            held.forEach(feed::touch);
        }
    }

    private void deliver(Message message) {
        long startNs = mayBlock ? System.nanoTime() : 0;
        listener.received(
                KeyHeader.of(message),
                message.getData(),
                spec.topic().existing() ? 0 : Subjects.partition(message),
                Subjects.timeMs(message.getReplyTo()));
        if (hasEnded()) {
            // The interrupt has ended the listener's call; the client would discard what an interrupted thread sends.
            boolean unused = Thread.interrupted();
        }
        feed.acknowledge(message);
        if (mayBlock) {
            long tookNs = Math.max(1, System.nanoTime() - startNs);
            batch = (int) Math.max(1, Math.min(maxBatch, Math.min(2L * batch, BATCH_LIMIT_NS / tookNs)));
        }
    }

    /** Unsubscribes, and gives back to the server what it has sent but the listener has not got. */
    private void giveBack(Subscription open) throws InterruptedException {
        held.forEach(feed::giveBack);
        CompletableFuture<Boolean> drained = open.drain(LEAVE_LIMIT);
        try {
            boolean wasDone;
            Message message;
            do {
                wasDone = drained.isDone();
                message = open.nextMessage(Duration.ofMillis(1));
                if (message != null && feed.accept(message)) {
                    feed.giveBack(message);
                }
            } while (message != null || !wasDone);
        } catch (IllegalStateException e) {
            // The client has closed the subscription after its last message.
        }
    }

    private void leave() {
        link.unwatch(feed);
        Subscription open = subscription;
        if (open == null) {
            return;
        }
        // An interrupt has ended the listener's call; the rest is short.
        boolean unused = Thread.interrupted();
        try {
            if (feed.isStored() && !abandoned && open.isActive()) {
                giveBack(open);
            } else if (open.isActive()) {
                open.unsubscribe();
            }
        } catch (InterruptedException | IllegalStateException e) {
            // The connection is closed, or the consumer was abandoned.
        }
    }

    @Override
    public void close() throws DriverException {
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (interrupted) {
            abort();
        }
        end();
        if (mayBlock) {
            thread.interrupt();
        }
        if (!Deadline.in(CLOSE_LIMIT).awaitEnd(ended)) {
            abort();
            if (!Deadline.in(LEAVE_LIMIT).awaitEnd(ended)) {
                throw new DriverException(
                        "Waited " + CLOSE_LIMIT.plus(LEAVE_LIMIT).toMillis() + " ms for consumer " + spec.id()
                                + " of topic '" + spec.topic().name() + "' to stop");
            }
        }
    }

    /** Ends the consumer without waiting, even if it was never started. */
    void abort() {
        abandoned = true;
        end();
        if (thread.getState() == Thread.State.NEW) {
            leave();
            ended.complete(null);
        } else {
            thread.interrupt();
        }
    }
}
