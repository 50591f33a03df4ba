package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.THREADS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;
import org.apache.rocketmq.common.consumer.ReceiptHandle;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC consumer and the thread that uses it: asks for messages, hands them to the listener, acknowledges each. One
 * request at a time keeps the order of each queue.
 */
final class GrpcConsumer implements BenchmarkConsumer {

    /** How long a message that was handed out stays hidden from other consumers until it is acknowledged. */
    private static final Duration INVISIBLE = Duration.ofSeconds(60);

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    private final String name;
    private final SimpleConsumer client;
    private final ConsumerSpec spec;
    private final TopicQueues queues;
    private final int batchSize;
    private final DriverEvents events;
    private final Duration timeout;
    private final ClientRelease release;
    private final Thread thread;
    private final Object lock = new Object();
    private boolean paused;
    private boolean closed;

    private GrpcConsumer(
            String name,
            SimpleConsumer client,
            ConsumerSpec spec,
            TopicQueues queues,
            int batchSize,
            DriverContext context,
            ClientRelease release) {
        this.name = name;
        this.client = client;
        this.spec = spec;
        this.queues = queues;
        this.batchSize = batchSize;
        this.events = context.events();
        this.timeout = context.timeout();
        this.release = release;
        this.thread = THREADS.daemon(this::run, name);
    }

    /** Takes the client over and starts the thread. */
    static GrpcConsumer start(
            String name,
            SimpleConsumer client,
            ConsumerSpec spec,
            TopicQueues queues,
            int batchSize,
            DriverContext context,
            ClientRelease release) {
        GrpcConsumer consumer = new GrpcConsumer(name, client, spec, queues, batchSize, context, release);
        consumer.thread.start();
        return consumer;
    }

    private void run() {
        long failingSinceNs = 0;
        try {
            while (awaitWork()) {
                try {
                    receive();
                    failingSinceNs = 0;
                } catch (ExecutionException e) {
                    long nowNs = System.nanoTime();
                    failingSinceNs = failingSinceNs == 0 ? nowNs : failingSinceNs;
                    report(e, nowNs - failingSinceNs);
                    TimeUnit.NANOSECONDS.sleep(PAUSE_AFTER_ERROR.toNanos());
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void report(Exception error, long failingForNs) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        if (failingForNs > timeout.toNanos()) {
            events.fatal(new DriverException(
                    "Consumer " + spec.id() + " has got errors instead of messages for " + timeout.toMillis()
                            + " ms, the last one: " + cause.getMessage(),
                    cause));
            synchronized (lock) {
                closed = true;
            }
        } else {
            events.clientError("consumer receive", cause);
        }
    }

    /** Waits while paused; returns false once closed. */
    private boolean awaitWork() throws InterruptedException {
        synchronized (lock) {
            while (paused && !closed) {
                lock.wait();
            }
            return !closed;
        }
    }

    /** The client ends each request in time. */
    private void receive() throws InterruptedException, ExecutionException {
        CompletableFuture<List<MessageView>> answer = client.receiveAsync(batchSize, INVISIBLE);
        for (MessageView message : answer.get()) {
            deliver(message);
        }
    }

    private void deliver(MessageView message) {
        ByteBuffer body = message.getBody();
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        Collection<String> keys = message.getKeys();
        spec.listener().received(keys.isEmpty() ? null : keys.iterator().next(), payload, partition(message));
        acknowledge(message);
    }

    /** The client does not tell the queue, but the handle that it acknowledges a message with does. */
    private int partition(MessageView message) {
        ReceiptHandle handle = ReceiptHandle.decode(((MessageViewImpl) message).getReceiptHandle());
        return queues.partition(new MessageQueue(spec.topic().name(), handle.getBrokerName(), handle.getQueueId()));
    }

    // A failure is reported, and the message comes again.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void acknowledge(MessageView message) {
        client.ackAsync(message).whenComplete((done, failure) -> {
            if (failure != null && !isClosed()) {
                events.clientError("consumer acknowledge", failure);
            }
        });
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    @Override
    public void pause() {
        setPaused(true);
    }

    @Override
    public void resume() {
        setPaused(false);
    }

    private void setPaused(boolean wanted) {
        synchronized (lock) {
            paused = wanted;
            lock.notifyAll();
        }
    }

    @Override
    public void close() throws DriverException {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        thread.interrupt();
        Deadline deadline = Deadline.in(timeout);
        boolean ended = ClientRelease.joined(thread, deadline);
        @Nullable Thread shutdown = release.begin(name, client);
        if (!ended) {
            throw new DriverException("Waited " + timeout.toMillis() + " ms for consumer " + spec.id()
                    + " to end; its client " + (shutdown.isAlive() ? "is being shut down" : "is shut down"));
        }
    }
}
