package io.openmessaging.benchmark.driver.rabbitmq.queue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.rabbitmq.confirm.ConfirmRing;
import io.openmessaging.benchmark.driver.rabbitmq.connection.Channels;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one exchange on a channel, and on a new one when that is closed: messages that were unconfirmed by then
 * fail, and so do those sent before there is a new channel. The client has written a payload to the socket when {@link
 * #send} returns.
 *
 * <p>If the topic has a subscription when the producer is created, messages are mandatory: one that reaches no queue is
 * returned and fails. The broker returns it before it confirms it, but does not report which of the unconfirmed
 * messages it is. As many messages fail as were returned; if only some were, the failures may be assigned to other
 * messages of that moment. Without a subscription, no one is meant to receive the messages, and the broker confirms
 * them.
 */
final class QueuePublisher implements RecoveringConnection.Client {

    private final RecoveringConnection connection;
    private final String exchange;
    private final String registry;
    private final int confirmWindow;
    private final DriverContext context;

    private final DriverException nacked = new DriverException("The broker has refused the message (nack)");
    private final DriverException unroutable = new DriverException(
            "The broker returned the message: no queue is bound for it, so no subscription gets it");

    private volatile @Nullable PublisherChannel session;
    private volatile boolean closed;

    /**
     * Usable once it is attached.
     *
     * @param connection source of its channels
     * @param registry queue that stores the names of the topic's subscriptions
     * @param confirmWindow messages that may be unconfirmed; 0 for no confirms
     */
    QueuePublisher(
            RecoveringConnection connection,
            String exchange,
            String registry,
            int confirmWindow,
            DriverContext context) {
        this.connection = connection;
        this.exchange = exchange;
        this.registry = registry;
        this.confirmWindow = confirmWindow;
        this.context = context;
    }

    @Override
    public void attach(Channel channel) throws IOException {
        PublisherChannel last = session;
        // Query only once, for subscriptions of any worker. The query also fails for a missing topic, for which the
        // first message would close the channel.
        boolean mandatory = last == null ? channel.messageCount(registry) > 0 : last.mandatory;
        PublisherChannel fresh =
                new PublisherChannel(channel, mandatory, confirmWindow > 0 ? new ConfirmRing(confirmWindow) : null);
        fresh.start();
        session = fresh;
        if (closed) {
            fresh.release();
        }
    }

    private PublisherChannel session() {
        return Objects.requireNonNull(session, "attached");
    }

    void send(String routingKey, AMQP.BasicProperties properties, byte[] payload, SendCallback callback)
            throws InterruptedException {
        session().send(routingKey, properties, payload, callback);
    }

    /** Waits for outstanding confirms, and fails messages that are unconfirmed afterwards. */
    void close(Deadline deadline) {
        closed = true;
        session().close(deadline);
    }

    /** Releases the channel at once; unconfirmed messages fail. */
    void release() {
        closed = true;
        session().release();
    }

    /** State of one channel, whose sequence numbers start at 1. */
    private final class PublisherChannel {

        private final Channel channel;
        private final boolean mandatory;
        private final @Nullable ConfirmRing confirms;

        /** Messages that were returned and are not confirmed yet. Used by the reading thread. */
        private int returned;

        PublisherChannel(Channel channel, boolean mandatory, @Nullable ConfirmRing confirms) {
            this.channel = channel;
            this.mandatory = mandatory;
            this.confirms = confirms;
        }

        /** Requests confirms and returned messages from the broker. */
        void start() throws IOException {
            ConfirmRing ring = confirms;
            if (ring != null) {
                Consumer<SendCallback> ack = this::acked;
                Consumer<SendCallback> nack = this::nacked;
                channel.addConfirmListener(
                        (tag, multiple) -> ring.confirm(tag, multiple, ack),
                        (tag, multiple) -> ring.confirm(tag, multiple, nack));
                // Not confirmSelect(): the client would keep all unconfirmed numbers in a sorted set of its own.
                channel.rpc(new AMQP.Confirm.Select.Builder().build());
            }
            channel.addReturnListener(message -> messageReturned(message.getReplyText()));
            channel.addShutdownListener(this::channelClosed);
        }

        void send(String routingKey, AMQP.BasicProperties properties, byte[] payload, SendCallback callback)
                throws InterruptedException {
            ConfirmRing ring = confirms;
            if (ring != null && ring.add(callback) == 0) {
                return;
            }
            try {
                channel.basicPublish(exchange, routingKey, mandatory, properties, payload);
            } catch (IOException | RuntimeException e) {
                failed(e, callback);
                return;
            }
            if (ring == null) {
                callback.acknowledged();
            }
        }

        private void failed(Exception cause, SendCallback callback) {
            if (confirms == null) {
                callback.failed(cause);
            } else if (cause instanceof AlreadyClosedException || cause instanceof IOException) {
                confirms.failAll(unconfirmed(cause));
            } else {
                // The client refused the message before writing anything.
                confirms.takeBack(cause);
            }
        }

        // The connection's reading thread

        private void acked(SendCallback callback) {
            if (returned == 0) {
                callback.acknowledged();
            } else {
                returned--;
                callback.failed(unroutable);
            }
        }

        private void nacked(SendCallback callback) {
            context.events().clientError("message nacked", nacked);
            callback.failed(nacked);
        }

        private DriverException unconfirmed(Exception cause) {
            return new DriverException("The message was not confirmed: " + RabbitMqCalls.reason(cause), cause);
        }

        private void messageReturned(String reason) {
            returned++;
            context.events()
                    .clientError(
                            "message returned",
                            new DriverException(
                                    "The broker returned a message to exchange '" + exchange + "': " + reason));
        }

        private void channelClosed(ShutdownSignalException signal) {
            if (confirms != null) {
                confirms.failAll(unconfirmed(signal));
            }
            if (!signal.isInitiatedByApplication() && !closed) {
                context.events().clientError("channel closed", signal);
                connection.recover(QueuePublisher.this);
            }
        }

        // Closing

        void close(Deadline deadline) {
            if (confirms == null) {
                Channels.close(channel);
            } else {
                confirms.close(deadline, answered -> {
                    // A broker that does not confirm does not answer either: the channel then closes with its
                    // connection.
                    if (answered) {
                        Channels.close(channel);
                    }
                });
            }
        }

        void release() {
            if (confirms != null) {
                confirms.failAll();
            }
            Channels.close(channel);
        }
    }
}
