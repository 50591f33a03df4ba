package io.openmessaging.benchmark.harness.bare;

import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.ConfirmationHandler;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The reference for streams: RabbitMQ's stream client in the shortest loop that publishes and consumes, without
 * anything of the benchmark. One producer and one consumer of a stream of its own; a new array for each message, since
 * the client reads it later. Only confirmed messages count as published.
 */
public final class BareRabbitStream extends VendorLoop {

    private static final long WARM_UP_PART = 3;

    private final LongAdder refused = new LongAdder();
    private final ConfirmationHandler handler = status -> (status.isConfirmed() ? acknowledged : refused).increment();
    private final Producer producer;
    private final int messageBytes;

    private BareRabbitStream(Producer producer, int messageBytes) {
        this.producer = producer;
        this.messageBytes = messageBytes;
    }

    /**
     * Runs the loop.
     *
     * @param args the address of the stream protocol ({@code host:port}, login {@code guest}), message size in bytes,
     *     seconds of the measurement (the warm-up takes a third of that), messages in a batch, maximum number of
     *     unconfirmed messages
     */
    public static void main(String[] args) throws Exception {
        String stream = "bare-" + UUID.randomUUID();
        try (Environment environment = Environment.builder()
                .uri("rabbitmq-stream://" + args[0])
                .addressResolver(advertised -> advertised)
                .build()) {
            environment.streamCreator().stream(stream)
                    .maxLengthBytes(ByteCapacity.GB(20))
                    .create();
            try (Producer producer = environment.producerBuilder().stream(stream)
                    .batchSize(Integer.parseInt(args[3]))
                    .maxUnconfirmedMessages(Integer.parseInt(args[4]))
                    .enqueueTimeout(Duration.ZERO)
                    .build()) {
                new BareRabbitStream(producer, Integer.parseInt(args[1]))
                        .run(environment, stream, TimeUnit.SECONDS.toNanos(Integer.parseInt(args[2])));
            } finally {
                environment.deleteStream(stream);
            }
        }
    }

    private void run(Environment environment, String stream, long measuredNs) throws Exception {
        Consumer consumer = environment.consumerBuilder().stream(stream)
                .offset(OffsetSpecification.first())
                .noTrackingStrategy()
                .messageHandler((context, message) -> {
                    if (message.getBodyAsBinary().length == messageBytes) {
                        received.increment();
                    }
                })
                .build();
        measure(measuredNs / WARM_UP_PART, measuredNs);
        consumer.close();
        if (refused.sum() > 0) {
            System.err.println(refused.sum() + " messages were not confirmed");
        }
    }

    @Override
    void send() {
        producer.send(producer.messageBuilder().addData(new byte[messageBytes]).build(), handler);
    }
}
