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
 * Reads queues on a channel, and on another one when that is closed; the broker then sends again what was not
 * acknowledged. All of a channel's deliveries come on its connection's reading thread, one after the other; a listener that
 * may block gets them on a thread of its own.
 *
 * <p>Where deliveries have to be acknowledged, an acknowledgement covers several of them: a quarter of what may be
 * unacknowledged, since the broker sends nothing more once all of it is. What is left is acknowledged every second: a
 * broker closes a channel that owes it an acknowledgement for long.
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

    /** The control thread's. */
    private @Nullable Future<?> rest;

    private volatile @Nullable ReaderChannel session;
    private volatile boolean closed;
    private boolean paused;

    /**
     * Reads once it is attached.
     *
     * @param connection gives it its channels
     * @param delivery where messages go
     * @param queues those to read, by partition
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
            // It is still open where the broker has cancelled the reading of one queue only.
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
                                "A queue of " + description + " is gone: " + RabbitMqCalls.reason(e), e));
            }
        }
        session = fresh;
        channel.addShutdownListener(fresh::channelClosed);
        if (closed) {
            Channels.close(channel);
        }
    }

    /** Whether a queue was deleted; one whose node is down is not found either, but comes back with it. */
    private static boolean isGone(IOException error) {
        return Channels.replyCode(error) == NOT_FOUND
                && RabbitMqCalls.reason(error).contains("no queue");
    }

    // The control thread

    /** Blocks until the broker has answered. */
    synchronized void setPaused(boolean pause) throws IOException {
        if (paused == pause) {
            return;
        }
        paused = pause;
        ReaderChannel now = session;
        if (now == null || !now.channel.isOpen()) {
            // Whoever attaches the next channel looks whether to read.
            return;
        }
        if (pause) {
            now.stopReading();
        } else {
            now.startReading();
        }
    }

    /** Has what is left acknowledged every second from now on. */
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

    /** Nothing is delivered any more. */
    void end() {
        closed = true;
        if (rest != null) {
            rest.cancel(false);
        }
    }

    /** Closes the channel, once this has ended. */
    void close() {
        ReaderChannel last = session;
        try {
            if (last != null) {
                last.stopReading();
                last.channel.close();
            }
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // Closed already: what there is to say of that was said when it happened.
        }
    }

    /**
     * Where the messages of one consumer go.
     *
     * @param description of the consumer, for messages
     * @param thread that calls the listener; null for the one that reads
     */
    record Delivery(
            String description,
            MessageListener listener,
            @Nullable DeliveryThread thread) {}

    /** Tells the broker what has become of messages. */
    private interface Settlement {

        void send() throws IOException;
    }

    /** What belongs to one channel: its numbers begin with 1. */
    private final class ReaderChannel {

        private final Channel channel;
        private final List<PartitionReader> readers;
        private volatile boolean reading;

        /** The delivering thread's: how often a message has come for the first time. */
        private int firstDeliveries;

        /** Written by the thread that delivers. */
        private volatile long lastDelivery;

        /** Written by whoever acknowledges. */
        private volatile long lastAcknowledged;

        ReaderChannel(Channel channel) {
            this.channel = channel;
            this.readers = queues.entrySet().stream()
                    .map(queue -> new PartitionReader(this, queue.getValue(), queue.getKey()))
                    .toList();
        }

        void startReading() throws IOException {
            if (prefetch > 0) {
                // For each queue that the channel reads: quorum queues do not take a limit for all of them together.
                channel.basicQos(prefetch, false);
            }
            for (PartitionReader reader : readers) {
                channel.basicConsume(reader.queue, autoAck, reader);
            }
            reading = true;
        }

        /** Once the broker has answered, all that it had sent before is delivered, or waits for the own thread. */
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

        /** Whether the message goes back to its queue instead of to the listener: some do, once each. */
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
                // The channel is closed, and whoever was told of that replaces it.
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

    /** One queue of a channel. */
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
                // The broker's answer to the cancellation comes behind all that it has sent, which may be long.
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

        /** The broker ends the delivery by itself: the queue was deleted, or its node is gone. */
        @Override
        public void handleCancel(String tag) {
            session.leave(
                    "consumer cancelled", "The broker has cancelled " + description + " on queue '" + queue + "'");
        }
    }
}
