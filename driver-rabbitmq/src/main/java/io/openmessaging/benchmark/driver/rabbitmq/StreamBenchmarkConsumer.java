package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Properties;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads some of the streams of a topic, or none, for a consumer without a share.
 *
 * <p>Streams may come on different connections, each with a delivering thread, so the lock of this object keeps calls of
 * the listener apart. While paused, the chunks that the broker had been asked for are kept here, and no more are asked
 * for.
 */
final class StreamBenchmarkConsumer implements BenchmarkConsumer {

    private final String description;
    private final MessageListener listener;
    private final DriverContext context;
    private final Runnable whenClosed;
    private final List<Consumer> clients = new ArrayList<>();
    private final List<PausableFlow> flows = new ArrayList<>();

    /** Guarded by the lock of this object, like the two flags. */
    private final Queue<Held> held = new ArrayDeque<>();

    private boolean paused;
    private volatile boolean closed;

    /** A message that has arrived during a pause. */
    private record Held(int partition, Message message) {}

    /**
     * Reads nothing yet.
     *
     * @param whenClosed called once, when the consumer is closed
     */
    StreamBenchmarkConsumer(ConsumerSpec spec, DriverContext context, Runnable whenClosed) {
        this.description = "Consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "', subscription '" + spec.subscription() + "',";
        this.listener = spec.listener();
        this.context = context;
        this.whenClosed = whenClosed;
    }

    /**
     * Creates a client for each stream to be read; messages may arrive before this returns.
     *
     * @param streams those to read, by partition
     * @throws StreamException if the broker refuses one; the consumer is closed then
     */
    StreamBenchmarkConsumer start(Environment environment, Map<Integer, String> streams, OffsetSpecification offset) {
        try {
            streams.forEach((partition, stream) -> read(environment, stream, partition, offset));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return this;
    }

    private void read(Environment environment, String stream, int partition, OffsetSpecification offset) {
        PausableFlow flow = new PausableFlow();
        flows.add(flow);
        clients.add(environment.consumerBuilder().stream(stream)
                .offset(offset)
                .noTrackingStrategy()
                .messageHandler((at, message) -> arrived(partition, message))
                .flow()
                .strategy(flow)
                .builder()
                .listeners(change -> stateChanged(stream, change))
                .build());
    }

    // The clients' threads

    private synchronized void arrived(int partition, Message message) {
        if (closed) {
            return;
        }
        if (paused) {
            held.add(new Held(partition, message));
        } else {
            deliver(partition, message);
        }
    }

    private void deliver(int partition, Message message) {
        listener.received(keyOf(message), message.getBodyAsBinary(), partition);
    }

    private static @Nullable String keyOf(Message message) {
        Properties properties = message.getProperties();
        return properties == null ? null : properties.getMessageIdAsString();
    }

    /** The client connects again by itself, and goes on behind the last message that it delivered. */
    private void stateChanged(String stream, Resource.Context change) {
        if (closed) {
            return;
        }
        DriverException cause = new DriverException(description + " has lost its connection to stream '" + stream
                + "': " + change.previousState() + " to " + change.currentState());
        if (change.currentState() == Resource.State.RECOVERING) {
            context.events().clientError("stream consumer disconnected", cause);
        } else if (change.currentState() == Resource.State.CLOSED) {
            context.events().fatal(cause);
        }
    }

    // The control thread

    @Override
    public void pause() {
        flows.forEach(PausableFlow::pause);
        synchronized (this) {
            paused = true;
        }
    }

    @Override
    public void resume() {
        synchronized (this) {
            for (Held next = held.poll(); next != null; next = held.poll()) {
                deliver(next.partition(), next.message());
            }
            paused = false;
        }
        flows.forEach(PausableFlow::resume);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            held.clear();
        }
        // The clients would give up waiting for answers that are about to come.
        boolean interrupted = Thread.interrupted();
        for (Consumer client : clients) {
            try {
                client.close();
            } catch (RuntimeException e) {
                context.events().clientError("consumer close", e);
            }
        }
        whenClosed.run();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
