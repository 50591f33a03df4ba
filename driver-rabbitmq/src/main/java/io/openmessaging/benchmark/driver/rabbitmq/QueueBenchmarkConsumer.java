package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Reads queues on a channel of its own. All of a channel's deliveries come on its connection's reading thread, one after
 * the other.
 *
 * <p>Where deliveries have to be acknowledged, an acknowledgement covers several of them: a quarter of what may be
 * unacknowledged, since the broker sends nothing more once all of it is.
 */
final class QueueBenchmarkConsumer implements BenchmarkConsumer {

    private static final int ACKS_PER_WINDOW = 4;
    private static final int MAX_MESSAGES_PER_ACK = 100;

    private final Channel channel;
    private final String description;
    private final List<PartitionReader> readers;
    private final boolean autoAck;
    private final int messagesPerAck;
    private final MessageListener listener;
    private final DriverContext context;
    private boolean paused;
    private volatile boolean closed;

    // The reading thread's, and the control thread's while nothing is delivered.
    private volatile long lastDelivery;
    private volatile long lastAcknowledged;

    /**
     * Takes the channel over.
     *
     * @param queues those to read, by partition
     */
    QueueBenchmarkConsumer(
            Channel channel,
            ConsumerSpec spec,
            Map<Integer, String> queues,
            RabbitMqConfig config,
            DriverContext context) {
        this.channel = channel;
        this.description = "consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "', subscription '" + spec.subscription() + "'";
        this.readers = queues.entrySet().stream()
                .map(queue -> new PartitionReader(queue.getValue(), queue.getKey()))
                .toList();
        this.autoAck = config.autoAck();
        int prefetch = config.prefetchCount();
        this.messagesPerAck = prefetch == 0
                ? MAX_MESSAGES_PER_ACK
                : Math.max(1, Math.min(MAX_MESSAGES_PER_ACK, prefetch / ACKS_PER_WINDOW));
        this.listener = spec.listener();
        this.context = context;
    }

    /**
     * Begins to read.
     *
     * @param prefetch messages that may be unacknowledged, 0 for no limit
     */
    QueueBenchmarkConsumer start(int prefetch) throws IOException {
        channel.addShutdownListener(this::channelClosed);
        if (prefetch > 0) {
            // For each queue that the channel reads: quorum queues do not take a limit for all of them together.
            channel.basicQos(prefetch, false);
        }
        startReading();
        return this;
    }

    /** One queue of the channel. */
    private final class PartitionReader extends DefaultConsumer {

        private final String queue;
        private final int partition;

        PartitionReader(String queue, int partition) {
            super(channel);
            this.queue = queue;
            this.partition = partition;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                throws IOException {
            listener.received(MessageKeys.keyOf(properties), body, partition);
            if (!autoAck) {
                delivered(envelope.getDeliveryTag());
            }
        }

        /** The broker ends the delivery by itself: the queue was deleted, or its node is gone. */
        @Override
        public void handleCancel(String tag) {
            if (!closed) {
                DriverException cause =
                        new DriverException("The broker has cancelled " + description + " on queue '" + queue + "'");
                context.events().clientError("consumer cancelled", cause);
                context.events().fatal(cause);
            }
        }
    }

    private void delivered(long deliveryTag) throws IOException {
        lastDelivery = deliveryTag;
        if (deliveryTag - lastAcknowledged >= messagesPerAck) {
            acknowledge();
        }
    }

    private void acknowledge() throws IOException {
        long upTo = lastDelivery;
        if (upTo > lastAcknowledged) {
            channel.basicAck(upTo, true);
            lastAcknowledged = upTo;
        }
    }

    private void channelClosed(ShutdownSignalException signal) {
        if (!signal.isInitiatedByApplication()) {
            DriverException cause = new DriverException(
                    "The channel of " + description + " was closed: " + RabbitMqCalls.reason(signal), signal);
            context.events().clientError("channel closed", cause);
            if (!closed) {
                context.events().fatal(cause);
            }
        }
    }

    // The control thread

    private void startReading() throws IOException {
        for (PartitionReader reader : readers) {
            channel.basicConsume(reader.queue, autoAck, reader);
        }
    }

    /** Once the broker has answered, all that it had sent before is delivered. */
    private void stopReading() throws IOException {
        for (PartitionReader reader : readers) {
            channel.basicCancel(reader.getConsumerTag());
        }
        acknowledge();
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        if (!paused) {
            CALLS.run("pause " + description, Deadline.in(context.timeout()), this::stopReading);
            paused = true;
        }
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        if (paused) {
            CALLS.run("resume " + description, Deadline.in(context.timeout()), this::startReading);
            paused = false;
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            if (!paused) {
                stopReading();
            }
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // Closed already: what there is to say of that was said when it happened.
        }
    }
}
