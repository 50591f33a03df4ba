package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerBuilder;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Properties;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DeliveryThread;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads some of the streams of a topic, or none if the consumer has no share.
 *
 * <p>Streams may arrive on different connections, each with a delivering thread, so this object's lock serializes calls
 * of the listener. During a pause, chunks that were already requested are stored here, and no more are requested.
 */
final class StreamBenchmarkConsumer implements BenchmarkConsumer {

    private final String description;

    /** Name of the subscription, by which the broker groups single active consumers. */
    private final String name;

    private final MessageListener listener;
    private final DriverContext context;
    private final Runnable whenClosed;
    private final @Nullable DeliveryThread ownThread;
    private final List<Consumer> clients = new ArrayList<>();
    private final List<PausableFlow> flows = new ArrayList<>();

    /** Guarded by this object's lock, like the two flags. */
    private final Queue<Held> held = new ArrayDeque<>();

    private boolean paused;
    private volatile boolean closed;

    /** A message that arrived during a pause. */
    private record Held(int partition, Message message) {}

    /**
     * Starts without streams.
     *
     * @param whenClosed called once, when the consumer is closed
     */
    StreamBenchmarkConsumer(ConsumerSpec spec, DriverContext context, Runnable whenClosed) {
        this.description = "Consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "', subscription '" + spec.subscription() + "',";
        this.name = spec.subscription();
        this.listener = spec.listener();
        this.context = context;
        this.whenClosed = whenClosed;
        this.ownThread = DeliveryThread.of(spec, RabbitMqCalls.THREADS);
    }

    /**
     * A consumer's share of a topic.
     *
     * @param streams the streams by partition
     * @param filterValues filter values of the messages to read; empty for all messages
     */
    record Share(Map<Integer, String> streams, List<String> filterValues) {

        static final Share NOTHING = new Share(Map.of(), List.of());

        /** A share with all streams of a topic, given by partition. */
        static Share all(List<String> streams) {
            return new Share(
                    IntStream.range(0, streams.size()).boxed().collect(Collectors.toMap(i -> i, streams::get)),
                    List.of());
        }
    }

    /**
     * Creates a client for each stream to be read; messages may arrive before this returns.
     *
     * @throws StreamException if the broker refuses a client; the consumer is then closed
     */
    StreamBenchmarkConsumer start(Environment environment, Share share, OffsetSpecification offset) {
        return reading(() -> share.streams().forEach((partition, stream) -> {
            ConsumerBuilder builder =
                    builder(environment, stream, false, handler(share.filterValues(), at -> partition)).stream(stream)
                            .offset(offset)
                            .noTrackingStrategy();
            if (!share.filterValues().isEmpty()) {
                // The handler checks each message itself, as it must report skipped ones to the flow.
                builder.filter()
                        .values(share.filterValues().toArray(String[]::new))
                        .postFilter(message -> true);
            }
            clients.add(builder.build());
        }));
    }

    /**
     * Creates a client for all streams of a topic, of which the broker assigns it some: each to one of the consumers of
     * the same name, on any worker. A consumer that is assigned a stream later continues at the position that the
     * previous one stored.
     *
     * @param streams the streams by partition
     * @param superStream name of the super stream; null for a plain stream
     * @throws StreamException if the broker refuses; the consumer is then closed
     */
    StreamBenchmarkConsumer startBeside(
            Environment environment, List<String> streams, @Nullable String superStream, OffsetSpecification offset) {
        return reading(() -> {
            Map<String, Integer> partitions =
                    IntStream.range(0, streams.size()).boxed().collect(Collectors.toMap(streams::get, i -> i));
            MessageHandler handler = handler(List.of(), at -> partitions.getOrDefault(at.stream(), 0));
            String described = superStream == null ? streams.get(0) : superStream;
            ConsumerBuilder builder = builder(environment, described, superStream != null, handler)
                    .offset(offset)
                    .name(name)
                    .singleActiveConsumer()
                    .autoTrackingStrategy()
                    .builder();
            clients.add(
                    (superStream == null ? builder.stream(streams.get(0)) : builder.superStream(superStream)).build());
        });
    }

    private StreamBenchmarkConsumer reading(Runnable start) {
        try {
            start.run();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return this;
    }

    private ConsumerBuilder builder(
            Environment environment, String stream, boolean severalStreams, MessageHandler handler) {
        PausableFlow flow = new PausableFlow(ownThread != null, severalStreams);
        flows.add(flow);
        return environment
                .consumerBuilder()
                .messageHandler(handler)
                .flow()
                .strategy(flow)
                .builder()
                .listeners(change -> stateChanged(stream, change));
    }

    private MessageHandler handler(List<String> filterValues, ToIntFunction<MessageHandler.Context> partition) {
        DeliveryThread thread = ownThread;
        MessageHandler all = thread == null
                ? (at, message) -> arrived(partition.applyAsInt(at), message)
                : (at, message) -> thread.execute(() -> {
                    arrived(partition.applyAsInt(at), message);
                    at.processed();
                });
        if (filterValues.isEmpty()) {
            return all;
        }
        Set<String> wanted = Set.copyOf(filterValues);
        return (at, message) -> {
            String value = FilterValues.of(message);
            if (value != null && wanted.contains(value)) {
                all.handle(at, message);
            } else {
                at.processed();
            }
        };
    }

    // Threads of the clients, or the consumer's own

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
        Properties properties = message.getProperties();
        long creationMs = properties == null ? 0 : properties.getCreationTime();
        listener.received(
                keyOf(message),
                message.getBodyAsBinary(),
                partition,
                creationMs == 0 ? MessageListener.NO_TIME : creationMs);
    }

    private static @Nullable String keyOf(Message message) {
        Properties properties = message.getProperties();
        return properties == null ? null : properties.getMessageIdAsString();
    }

    /** The client reconnects by itself, and continues after the last message that it delivered. */
    private void stateChanged(String stream, Resource.Context change) {
        if (closed) {
            return;
        }
        DriverException cause = new DriverException(description + " has lost its connection to stream '" + stream
                + "'; its state changed from " + change.previousState() + " to " + change.currentState());
        if (change.currentState() == Resource.State.RECOVERING) {
            context.events().clientError("stream consumer disconnected", cause);
        } else if (change.currentState() == Resource.State.CLOSED) {
            context.events().fatal(cause);
        }
    }

    // Control thread

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
        closed = true;
        if (ownThread != null) {
            ownThread.close();
        }
        synchronized (this) {
            held.clear();
        }
        // An interrupt would make the clients stop waiting for answers that are about to arrive.
        DriverThreads.uninterrupted(() -> {
            for (Consumer client : clients) {
                try {
                    client.close();
                } catch (RuntimeException e) {
                    context.events().clientError("consumer close", e);
                }
            }
            whenClosed.run();
        });
    }
}
