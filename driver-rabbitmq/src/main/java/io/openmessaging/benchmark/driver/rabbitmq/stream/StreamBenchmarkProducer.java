package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.ConfirmationHandler;
import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.ProducerBuilder;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.confirm.ConfirmRing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to the streams of one topic. The client reads payloads later, on its own threads, which batch the messages
 * that have accumulated.
 */
final class StreamBenchmarkProducer implements BenchmarkProducer {

    /** Places in the client beyond the window, because it frees some late. */
    private static final int SPARE_PLACES = 100;

    private final List<Producer> clients = new ArrayList<>();
    private final Partitions partitions;
    private final @Nullable FilterValues filterValues;
    private final List<Map.Entry<String, String>> headers;
    private final String name;
    private final ConfirmRing confirms;
    private final DriverContext context;

    /** Size of the smallest message that was too large. Used by the sending thread. */
    private int tooLargeBytes = Integer.MAX_VALUE;

    private volatile boolean closing;

    /**
     * Creates a client for each stream.
     *
     * @throws StreamException if the broker refuses a client; the others are then closed
     */
    StreamBenchmarkProducer(
            Environment environment,
            ProducerSpec spec,
            List<String> streams,
            RabbitMqConfig config,
            DriverContext context) {
        this.partitions = new Partitions(streams.size(), spec.id());
        this.filterValues = config.streamFilterValues() == 0
                ? null
                : new FilterValues(new Partitions(config.streamFilterValues(), spec.id()));
        this.headers = List.copyOf(spec.headers().entrySet());
        this.name = "benchmark-" + context.runId() + "-" + spec.id();
        this.confirms = ConfirmRing.ofSlots(config.confirmWindow());
        this.context = context;
        try {
            for (String stream : streams) {
                clients.add(client(environment, stream, config));
            }
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    private Producer client(Environment environment, String stream, RabbitMqConfig config) {
        ProducerBuilder builder = environment.producerBuilder().stream(stream)
                .batchSize(config.streamBatchSize())
                .subEntrySize(config.streamSubEntrySize())
                // The ring sets the limit, since its wait can be interrupted. The client frees its own place for a
                // message only after the callback, and the places of a sub-entry all at once.
                .maxUnconfirmedMessages(config.confirmWindow() + config.streamSubEntrySize() + SPARE_PLACES)
                .confirmTimeout(atLeastOneSecond(context.timeout()))
                .listeners(change -> stateChanged(stream, change));
        if (config.streamDeduplication()) {
            // With a name, the client numbers the messages, and the broker drops messages whose number it already has.
            builder.name(name);
        }
        if (filterValues != null) {
            builder.filterValue(FilterValues::of);
        }
        if (config.streamCompression() != Compression.NONE) {
            builder.compression(config.streamCompression());
        }
        return builder.build();
    }

    /** Raises a duration to the minimum that the client accepts. */
    private static Duration atLeastOneSecond(Duration duration) {
        return duration.toSeconds() >= 1 ? duration : Duration.ofSeconds(1);
    }

    /** The client reconnects by itself, and republishes unconfirmed messages. */
    private void stateChanged(String stream, Resource.Context change) {
        boolean lost =
                change.currentState() == Resource.State.RECOVERING || change.currentState() == Resource.State.CLOSED;
        if (lost && !closing) {
            context.events()
                    .clientError(
                            "stream producer disconnected",
                            new DriverException("A producer of stream '" + stream + "' has changed from state "
                                    + change.previousState() + " to " + change.currentState()));
        }
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        Producer client = clients.get(partitions.of(key));
        Message message = message(client, key, payload);
        int index = confirms.addToSlot(callback);
        if (index < 0) {
            return;
        }
        PendingMessage slot = new PendingMessage(index);
        if (payload.length >= tooLargeBytes) {
            slot.fail(new DriverException("Messages of " + tooLargeBytes + " bytes are too big for a frame"));
            return;
        }
        try {
            client.send(message, slot);
        } catch (IllegalArgumentException e) {
            // Too large for a frame. The client does not free the place that it reserved, so such messages no longer
            // reach it.
            tooLargeBytes = payload.length;
            slot.fail(e);
        } catch (RuntimeException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            slot.fail(e);
        }
    }

    /** The client has its own builder and maps for each message, which cannot be shared. */
    private Message message(Producer client, @Nullable String key, byte[] payload) {
        MessageBuilder builder = client.messageBuilder().addData(payload);
        if (key != null) {
            builder.properties().messageId(key);
        }
        if (filterValues != null) {
            filterValues.addTo(builder, key);
        }
        if (!headers.isEmpty()) {
            MessageBuilder.ApplicationPropertiesBuilder properties = builder.applicationProperties();
            for (Map.Entry<String, String> header : headers) {
                properties.entry(header.getKey(), header.getValue());
            }
        }
        return builder.build();
    }

    /**
     * A slot of the ring, as the client's callback for the message in it. Created for each message: the client
     * allocates several objects per message anyway, and reuse would keep a window of these for each of a thousand
     * producers.
     */
    private final class PendingMessage implements ConfirmationHandler {

        private final int index;

        PendingMessage(int index) {
            this.index = index;
        }

        @Override
        public void handle(ConfirmationStatus status) {
            if (status.isConfirmed()) {
                confirms.confirmSlot(index, SendCallback::acknowledged);
            } else {
                DriverException refusal =
                        new DriverException("The message was not confirmed: " + text(status.getCode()));
                context.events().clientError("message not confirmed", refusal);
                fail(refusal);
            }
        }

        void fail(Throwable cause) {
            confirms.failSlot(index, cause);
        }
    }

    private static String text(short code) {
        return switch (code) {
            case Constants.CODE_MESSAGE_ENQUEUEING_FAILED -> "the client could not queue it";
            case Constants.CODE_PRODUCER_NOT_AVAILABLE -> "the connection is lost";
            case Constants.CODE_PRODUCER_CLOSED -> "the producer is closed";
            case Constants.CODE_PUBLISH_CONFIRM_TIMEOUT -> "no answer in time";
            case Constants.RESPONSE_CODE_STREAM_NOT_AVAILABLE -> "the stream is not available";
            case Constants.RESPONSE_CODE_STREAM_DOES_NOT_EXIST -> "the stream does not exist";
            default -> "code " + code;
        };
    }

    @Override
    public void close() {
        confirms.close(Deadline.in(context.timeout()), answered -> release());
    }

    /** Releases the clients at once; unconfirmed messages fail. */
    void release() {
        closing = true;
        confirms.failAll();
        for (Producer client : clients) {
            try {
                client.close();
            } catch (RuntimeException e) {
                context.events().clientError("producer close", e);
            }
        }
    }
}
