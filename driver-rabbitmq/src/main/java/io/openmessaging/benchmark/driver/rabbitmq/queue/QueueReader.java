package io.openmessaging.benchmark.driver.rabbitmq.queue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.DeliveryThread;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.connection.Channels;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import java.io.IOException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues on a channel, and on a new one when that is closed; the broker then redelivers unacknowledged messages.
 * All deliveries of a channel arrive in sequence on its connection's reading thread; a listener that may block receives
 * them on a separate thread.
 *
 * <p>Where deliveries must be acknowledged, one acknowledgement covers several: a quarter of the messages that may be
 * unacknowledged, since the broker stops sending once that limit is reached. The rest is acknowledged every second: a
 * broker closes a channel whose acknowledgements are long overdue.
 */
final class QueueReader implements RecoveringConnection.Client {

    private static final int ACKS_PER_WINDOW = 4;
    private static final int MAX_MESSAGES_PER_ACK = 100;
    private static final int NOT_FOUND = 404;
    private static final long REST_S = 1;

    private final RecoveringConnection connection;
    private final String description;
    private final Map<Integer, String> queues;
    private final boolean autoAck;

    /** Messages that may be unacknowledged, 0 for no limit. */
    private final int prefetch;

    private final int messagesPerAck;
    private final int requeueEvery;
    private final Delivery delivery;
    private final DriverContext context;

    /** Used by the control thread. */
    private @Nullable Future<?> rest;

    private volatile @Nullable ReaderChannel session;
    private volatile boolean closed;
    private boolean paused;

    /**
     * Reads once it is attached.
     *
     * @param connection source of its channels
     * @param delivery destination of messages
     * @param queues the queues to read, by partition
     */
    QueueReader(
            RecoveringConnection connection,
            Delivery delivery,
            Map<Integer, String> queues,
            RabbitMqConfig config,
            DriverContext context) {
        this.connection = connection;
        this.delivery = delivery;
        this.description = delivery.description();
        this.queues = queues;
        this.autoAck = config.autoAck();
        this.prefetch = config.prefetchCount();
        this.messagesPerAck = prefetch == 0
                ? MAX_MESSAGES_PER_ACK
                : Math.max(1, Math.min(MAX_MESSAGES_PER_ACK, prefetch / ACKS_PER_WINDOW));
        this.requeueEvery = config.requeueEvery();
        this.context = context;
    }

    @Override
    public synchronized void attach(Channel channel) throws IOException {
        ReaderChannel last = session;
        if (last != null) {
            // The channel is still open if the broker cancelled only the reading of one queue.
            Channels.close(last.channel);
        }
        ReaderChannel fresh = new ReaderChannel(channel);
        if (!paused && !closed) {
            try {
                fresh.startReading();
            } catch (IOException e) {
                if (last == null || !isGone(e)) {
                    throw e;
                }
                closed = true;
                context.events()
                        .fatal(new DriverException(
                                "A queue of " + description + " was deleted: " + RabbitMqCalls.reason(e), e));
            }
        }
        session = fresh;
        channel.addShutdownListener(fresh::channelClosed);
        if (closed) {
            Channels.close(channel);
        }
    }

    /**
     * Returns whether a queue was deleted; a queue whose node is down is not found either, but returns with the node.
     */
    private static boolean isGone(IOException error) {
        return Channels.replyCode(error) == NOT_FOUND
                && RabbitMqCalls.reason(error).contains("no queue");
    }

    // Control thread

    /** Blocks until the broker has answered. */
    synchronized void setPaused(boolean pause) throws IOException {
        if (paused == pause) {
            return;
        }
        paused = pause;
        ReaderChannel now = session;
        if (now == null || !now.channel.isOpen()) {
            // The thread that attaches the next channel checks whether to read.
            return;
        }
        if (pause) {
            now.stopReading();
        } else {
            now.startReading();
        }
    }

    /** Acknowledges remaining messages every second from now on. */
    void acknowledgeRestBy(ScheduledExecutorService timer) {
        if (!autoAck) {
            rest = timer.scheduleWithFixedDelay(this::acknowledgeRest, REST_S, REST_S, TimeUnit.SECONDS);
        }
    }

    private void acknowledgeRest() {
        ReaderChannel now = session;
        if (now != null && !closed) {
            now.acknowledgeIfOpen();
        }
    }

    /** Stops deliveries. */
    void end() {
        closed = true;
        if (rest != null) {
            rest.cancel(false);
        }
    }

    /** Closes the channel, after {@link #end}. */
    void close() {
        ReaderChannel last = session;
        try {
            if (last != null) {
                last.stopReading();
                last.channel.close();
            }
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // Closed already; that was reported when it happened.
        }
    }

    /**
     * Destination of the messages of one consumer.
     *
     * @param description the description of the consumer, for messages
     * @param thread the thread that calls the listener; null for the reading thread
     */
    record Delivery(
            String description,
            MessageListener listener,
            @Nullable DeliveryThread thread) {}

    /** Reports the outcome of messages to the broker. */
    private interface Settlement {

        void send() throws IOException;
    }

    /** State of one channel, whose delivery tags start at 1. */
    private final class ReaderChannel {

        private final Channel channel;
        private final List<PartitionReader> readers;
        private volatile boolean reading;

        /** Number of first deliveries of a message. Used by the delivering thread. */
        private int firstDeliveries;

        /** Written by the delivering thread. */
        private volatile long lastDelivery;

        /** Written by the thread that acknowledges. */
        private volatile long lastAcknowledged;

        ReaderChannel(Channel channel) {
            this.channel = channel;
            this.readers = queues.entrySet().stream()
                    .map(queue -> new PartitionReader(this, queue.getValue(), queue.getKey()))
                    .toList();
        }

        void startReading() throws IOException {
            if (prefetch > 0) {
                // The limit applies to each queue: quorum queues do not support a common limit for the whole channel.
                channel.basicQos(prefetch, false);
            }
            for (PartitionReader reader : readers) {
                channel.basicConsume(reader.queue, autoAck, reader);
            }
            reading = true;
        }

        /**
         * Once the broker has answered, all messages that it sent before are delivered, or queued for the separate
         * thread.
         */
        void stopReading() throws IOException {
            if (reading) {
                reading = false;
                for (PartitionReader reader : readers) {
                    channel.basicCancel(reader.getConsumerTag());
                }
                acknowledge();
            }
        }

        void delivered(long deliveryTag) {
            lastDelivery = deliveryTag;
            if (deliveryTag - lastAcknowledged >= messagesPerAck) {
                acknowledgeIfOpen();
            }
        }

        /**
         * Returns whether to return the message to its queue instead of delivering it; some messages are, once each.
         */
        boolean requeues(Envelope envelope) {
            return requeueEvery > 0 && !envelope.isRedeliver() && ++firstDeliveries % requeueEvery == 0;
        }

        void requeue(long deliveryTag) {
            unlessClosed(() -> channel.basicNack(deliveryTag, false, true));
        }

        void acknowledgeIfOpen() {
            unlessClosed(this::acknowledge);
        }

        private void unlessClosed(Settlement answer) {
            try {
                answer.send();
            } catch (IOException | ShutdownSignalException e) {
                // The channel is closed; its shutdown listener triggers the replacement.
            }
        }

        synchronized void acknowledge() throws IOException {
            long upTo = lastDelivery;
            if (upTo > lastAcknowledged) {
                channel.basicAck(upTo, true);
                lastAcknowledged = upTo;
            }
        }

        private void channelClosed(ShutdownSignalException signal) {
            if (!signal.isInitiatedByApplication()) {
                leave(
                        "channel closed",
                        "The channel of " + description + " was closed: " + RabbitMqCalls.reason(signal));
            }
        }

        void leave(String kind, String sentence) {
            if (!closed) {
                context.events().clientError(kind, new DriverException(sentence));
                connection.recover(QueueReader.this);
            }
        }
    }

    /** Reads one queue of a channel. */
    private final class PartitionReader extends DefaultConsumer {

        private final ReaderChannel session;
        private final String queue;
        private final int partition;

        PartitionReader(ReaderChannel session, String queue, int partition) {
            super(session.channel);
            this.session = session;
            this.queue = queue;
            this.partition = partition;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            DeliveryThread thread = delivery.thread();
            if (thread == null) {
                deliver(envelope, properties, body);
            } else {
                thread.execute(() -> deliver(envelope, properties, body));
            }
        }

        private void deliver(Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            if (closed) {
                // The broker's answer to the cancellation follows everything that it has sent, which may take long.
                return;
            }
            if (session.requeues(envelope)) {
                session.requeue(envelope.getDeliveryTag());
                return;
            }
            Date time = properties.getTimestamp();
            delivery.listener()
                    .received(
                            MessageKeys.keyOf(properties),
                            body,
                            partition,
                            time == null
                                    ? MessageListener.NO_TIME
                                    : time.toInstant().toEpochMilli());
            if (!autoAck) {
                session.delivered(envelope.getDeliveryTag());
            }
        }

        /** The broker ended the delivery: the queue was deleted, or its node is gone. */
        @Override
        public void handleCancel(String tag) {
            session.leave(
                    "consumer cancelled", "The broker has cancelled " + description + " on queue '" + queue + "'");
        }
    }
}
