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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.jspecify.annotations.Nullable;

/**
 * One Pulsar consumer, of all partitions of its topic. The client calls {@link #received} on a thread of its own; the
 * lock of this object keeps those calls apart from each other and from pause, resume and close.
 */
final class PulsarBenchmarkConsumer implements BenchmarkConsumer {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

    private final ConsumerSpec spec;
    private final boolean cumulative;
    private final DriverEvents events;
    private final @Nullable DeliveryThread ownThread;

    /**
     * What the client had asked for before a pause and got during it: at most as many messages as it asks for ahead.
     * They are neither delivered nor acknowledged until the pause ends.
     */
    private final Queue<Message<byte[]>> held = new ArrayDeque<>();

    private boolean paused;
    private volatile boolean closed;
    private @Nullable Consumer<byte[]> client;

    /**
     * Not attached yet.
     *
     * @param cumulative whether each acknowledgement holds for all messages before it, too
     */
    PulsarBenchmarkConsumer(ConsumerSpec spec, boolean cumulative, DriverEvents events) {
        this.spec = spec;
        this.cumulative = cumulative;
        this.events = events;
        this.ownThread = DeliveryThread.of(spec, PulsarCalls.THREADS);
    }

    /** Begins to attach itself; messages may come before the future is complete. */
    CompletableFuture<PulsarBenchmarkConsumer> subscribe(ConsumerBuilder<byte[]> builder) {
        // The thread that would otherwise hand each message to another one: that would cost time, and with Key_Shared
        // it
        // would be several, whose calls overlap.
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
        // -1 in a topic without partitions.
        int partition = Math.max(0, ((MessageIdAdv) message.getMessageId()).getPartitionIndex());
        spec.listener()
                .received(
                        message.hasKey() ? message.getKey() : null,
                        message.getData(),
                        partition,
                        message.getPublishTime());
        acknowledge(consumer, message);
    }

    // The client answers at once as long as it collects acknowledgements: nothing is left to be told then.
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

    /** By which the broker knows it. */
    String name() {
        return attachedClient().getConsumerName();
    }

    @Override
    public synchronized void pause() {
        paused = true;
        // From now on it does not ask for more.
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
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        try {
            closing.get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw CALLS.refused("close consumer " + spec.id(), e);
        } catch (TimeoutException e) {
            throw deadline.missed("consumer " + spec.id() + " to leave its subscription", e);
        }
    }

    /** The listener is not called any more once this has returned. */
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
