package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DeliveryThread;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.jspecify.annotations.Nullable;

/**
 * One Pulsar consumer, of all partitions of its topic. The client calls {@link #received} on one of its own threads;
 * the lock of this object serializes those calls with each other and with pause, resume and close.
 */
final class PulsarBenchmarkConsumer implements BenchmarkConsumer {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

    private final ConsumerSpec spec;
    private final boolean cumulative;
    private final DriverEvents events;
    private final @Nullable DeliveryThread ownThread;

    /**
     * Messages that the client requested before a pause and received during it: at most as many as it requests ahead.
     * They are neither delivered nor acknowledged until the pause ends.
     */
    private final Queue<Message<byte[]>> held = new ArrayDeque<>();

    private boolean paused;
    private volatile boolean closed;
    private @Nullable Consumer<byte[]> client;

    /**
     * Does not attach yet.
     *
     * @param cumulative true if each acknowledgement also covers all earlier messages
     */
    PulsarBenchmarkConsumer(ConsumerSpec spec, boolean cumulative, DriverEvents events) {
        this.spec = spec;
        this.cumulative = cumulative;
        this.events = events;
        this.ownThread = DeliveryThread.of(spec, PulsarCalls.THREADS);
    }

    /** Starts to attach the consumer; messages may arrive before the future completes. */
    CompletableFuture<PulsarBenchmarkConsumer> subscribe(ConsumerBuilder<byte[]> builder) {
        // Runs deliveries on the thread that would otherwise hand each message to another one. That would cost time,
        // and with Key_Shared there would be several threads with overlapping calls.
        Executor thread = ownThread == null ? Runnable::run : ownThread;
        return builder.messageListener(this::received)
                .messageListenerExecutor((message, delivery) -> thread.execute(delivery))
                .subscribeAsync()
                .thenApply(this::attached);
    }

    private synchronized PulsarBenchmarkConsumer attached(Consumer<byte[]> consumer) {
        client = consumer;
        return this;
    }

    private synchronized void received(Consumer<byte[]> consumer, Message<byte[]> message) {
        if (paused) {
            held.add(message);
        } else if (!closed) {
            deliver(consumer, message);
        }
    }

    private void deliver(Consumer<byte[]> consumer, Message<byte[]> message) {
        // The index is -1 in a topic without partitions.
        int partition = Math.max(0, ((MessageIdAdv) message.getMessageId()).getPartitionIndex());
        spec.listener()
                .received(
                        message.hasKey() ? message.getKey() : null,
                        message.getData(),
                        partition,
                        message.getPublishTime());
        acknowledge(consumer, message);
    }

    // The client answers at once as long as it collects acknowledgements: nothing is left to report then.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void acknowledge(Consumer<byte[]> consumer, Message<byte[]> message) {
        CompletableFuture<Void> acknowledged =
                cumulative ? consumer.acknowledgeCumulativeAsync(message) : consumer.acknowledgeAsync(message);
        if (!acknowledged.isDone() || acknowledged.isCompletedExceptionally()) {
            acknowledged.whenComplete((nothing, error) -> {
                if (error != null && !closed) {
                    events.clientError("acknowledge", Calls.unwrapped(error));
                }
            });
        }
    }

    TopicSpec topic() {
        return spec.topic();
    }

    /** Returns the name by which the broker knows the consumer. */
    String name() {
        return attachedClient().getConsumerName();
    }

    @Override
    public synchronized void pause() {
        paused = true;
        // From now on the client requests no more messages.
        attachedClient().pause();
    }

    @Override
    public synchronized void resume() {
        Consumer<byte[]> consumer = attachedClient();
        while (!held.isEmpty()) {
            deliver(consumer, held.remove());
        }
        paused = false;
        consumer.resume();
    }

    private synchronized Consumer<byte[]> attachedClient() {
        if (client == null) {
            throw new IllegalStateException("Consumer " + spec.id() + " is not attached yet.");
        }
        return client;
    }

    @Override
    public void close() throws DriverException {
        CompletableFuture<Void> closing = beginClose();
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        try {
            CALLS.await("close consumer " + spec.id(), Deadline.in(CLOSE_LIMIT), closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts to close the consumer. The listener is not called any more once this method has returned. */
    CompletableFuture<Void> beginClose() {
        closed = true;
        if (ownThread != null) {
            ownThread.close();
        }
        synchronized (this) {
            held.clear();
            return attachedClient().closeAsync();
        }
    }
}
