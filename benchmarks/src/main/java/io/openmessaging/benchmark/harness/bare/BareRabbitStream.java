package io.openmessaging.benchmark.harness.bare;

import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.ConfirmationHandler;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The yardstick for streams: RabbitMQ's stream client in the shortest loop that publishes and consumes, without anything
 * of the benchmark around it. One producer and one consumer of a stream of its own; a fresh array for each message, since
 * the client reads it later.
 *
 * <p>Arguments: the address of the stream protocol ({@code host:port}, login {@code guest}), message size in bytes,
 * seconds to measure, messages in a batch, messages that may be unconfirmed. Warms up for a third of the time before.
 * Prints one line, {@code published_per_s=… received_per_s=…}, where published means confirmed.
 */
public final class BareRabbitStream {

    private static final long WARM_UP_PART = 3;
    private static final long JOIN_LIMIT_MS = 30_000;

    private final LongAdder confirmed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final ConfirmationHandler handler = status -> (status.isConfirmed() ? confirmed : refused).increment();
    private volatile boolean stopped;

    private BareRabbitStream() {}

    /** Runs the loop; see the class. */
    public static void main(String[] arguments) throws InterruptedException {
        new BareRabbitStream()
                .run(
                        arguments[0],
                        Integer.parseInt(arguments[1]),
                        Integer.parseInt(arguments[2]),
                        Integer.parseInt(arguments[3]),
                        Integer.parseInt(arguments[4]));
    }

    private void run(String address, int messageBytes, int seconds, int batchSize, int unconfirmed)
            throws InterruptedException {
        String stream = "bare-" + UUID.randomUUID();
        try (Environment environment = Environment.builder()
                .uri("rabbitmq-stream://" + address)
                .addressResolver(advertised -> advertised)
                .build()) {
            environment.streamCreator().stream(stream)
                    .maxLengthBytes(ByteCapacity.GB(20))
                    .create();
            try {
                measure(environment, stream, messageBytes, seconds, batchSize, unconfirmed);
            } finally {
                environment.deleteStream(stream);
            }
        }
    }

    private void measure(
            Environment environment, String stream, int messageBytes, int seconds, int batchSize, int unconfirmed)
            throws InterruptedException {
        Consumer consumer = environment.consumerBuilder().stream(stream)
                .offset(OffsetSpecification.first())
                .noTrackingStrategy()
                .messageHandler((context, message) -> {
                    if (message.getBodyAsBinary().length == messageBytes) {
                        received.increment();
                    }
                })
                .build();
        Producer producer = environment.producerBuilder().stream(stream)
                .batchSize(batchSize)
                .maxUnconfirmedMessages(unconfirmed)
                .enqueueTimeout(Duration.ZERO)
                .build();
        Thread sender = new Thread(() -> send(producer, messageBytes), "sender");
        sender.start();
        TimeUnit.MILLISECONDS.sleep(TimeUnit.SECONDS.toMillis(seconds) / WARM_UP_PART);
        long startNs = System.nanoTime();
        long confirmedBefore = confirmed.sum();
        long receivedBefore = received.sum();
        TimeUnit.SECONDS.sleep(seconds);
        double elapsed = (System.nanoTime() - startNs) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "published_per_s=%.0f received_per_s=%.0f%n",
                (confirmed.sum() - confirmedBefore) / elapsed,
                (received.sum() - receivedBefore) / elapsed);
        stopped = true;
        sender.join(JOIN_LIMIT_MS);
        producer.close();
        consumer.close();
        if (refused.sum() > 0) {
            System.err.println(refused.sum() + " messages were not confirmed");
        }
    }

    private void send(Producer producer, int messageBytes) {
        while (!stopped) {
            producer.send(
                    producer.messageBuilder().addData(new byte[messageBytes]).build(), handler);
        }
    }
}
