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
 * Publishes to one exchange on a channel, and on another one when that is closed: what was not confirmed by
 * then has failed, and so does what is sent before there is a new one. The client has written a payload to the socket when
 * {@link #send} returns.
 *
 * <p>Where the topic has a subscription when the producer is created, messages are mandatory: one that reaches no queue
 * comes back and has failed. The broker says so before it confirms the message, but does not say which of the
 * unconfirmed ones it is. As many fail as have come back; if only some of them did, the failures may be put down to
 * others of the same moment. Where there is no subscription, nobody is to get the messages, and the broker confirms them.
 */
final class QueuePublisher implements RecoveringConnection.Client {

    private final RecoveringConnection connection;
    private final String exchange;
    private final String registry;
    private final int confirmWindow;
    private final DriverContext context;

    private final DriverException nacked = new DriverException("The broker has refused the message (nack)");
    private final DriverException unroutable =
            new DriverException("The message came back: no queue is bound for it, so no subscription gets it");

    private volatile @Nullable PublisherChannel session;
    private volatile boolean closed;

    /**
     * Is of use once it is attached.
     *
     * @param connection gives it its channels
     * @param registry the queue that holds the names of the topic's subscriptions
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
        // Asked at first only, on whichever worker somebody has subscribed, and for a topic that is not there: else the
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

    /** Waits for what is not confirmed, and fails what is then still so. */
    void close(Deadline deadline) {
        closed = true;
        session().close(deadline);
    }

    /** Releases the channel at once; what is not confirmed has failed. */
    void release() {
        closed = true;
        session().release();
    }

    /** What belongs to one channel: its numbers begin with 1. */
    private final class PublisherChannel {

        private final Channel channel;
        private final boolean mandatory;
        private final @Nullable ConfirmRing confirms;

        /** The reading thread's: messages that came back and are not confirmed yet. */
        private int returned;

        PublisherChannel(Channel channel, boolean mandatory, @Nullable ConfirmRing confirms) {
            this.channel = channel;
            this.mandatory = mandatory;
            this.confirms = confirms;
        }

        /** Asks for what the broker has to say of messages. */
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
                // Refused by the client before anything was written.
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
                            new DriverException("A message to exchange '" + exchange + "' came back: " + reason));
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

        // The end

        void close(Deadline deadline) {
            if (confirms == null) {
                Channels.close(channel);
            } else {
                confirms.close(deadline, answered -> {
                    // A broker that does not confirm does not answer either: the channel goes with its connection then.
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
