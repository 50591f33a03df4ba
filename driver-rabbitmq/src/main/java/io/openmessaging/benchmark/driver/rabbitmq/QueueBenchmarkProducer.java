package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one exchange on a channel of its own. The client has written a payload to the socket when {@link #send}
 * returns.
 *
 * <p>Where the topic has a subscription when the producer is created, messages are mandatory: one that reaches no queue
 * comes back and has failed. The broker says so before it confirms the message, but does not say which of the
 * unconfirmed ones it is. As many fail as have come back; if only some of them did, the failures may be put down to
 * others of the same moment. Where there is no subscription, nobody is to get the messages, and the broker confirms them.
 */
final class QueueBenchmarkProducer implements BenchmarkProducer {

    private static final int NOT_PERSISTENT = 1;
    private static final int PERSISTENT = 2;

    private final Channel channel;
    private final String exchange;
    private final String[] routingKeys;
    private final Partitions partitions;
    private final MessageKeys keys;
    private final boolean mandatory;
    private final @Nullable ConfirmRing confirms;
    private final DriverContext context;

    private final DriverException nacked = new DriverException("The broker has refused the message (nack)");
    private final DriverException unroutable =
            new DriverException("The message came back: no queue is bound for it, so no subscription gets it");

    /** The reading thread's: messages that came back and are not confirmed yet. */
    private int returned;

    /**
     * Takes the channel over.
     *
     * @param mandatory whether a message that reaches no queue is a failure
     */
    QueueBenchmarkProducer(
            Channel channel, ProducerSpec spec, boolean mandatory, RabbitMqConfig config, DriverContext context) {
        this.channel = channel;
        TopicSpec topic = spec.topic();
        this.exchange = topic.name();
        this.routingKeys = IntStream.range(0, topic.partitions())
                .mapToObj(Integer::toString)
                .toArray(String[]::new);
        this.partitions = new Partitions(topic.partitions(), spec.id());
        this.mandatory = mandatory;
        this.keys = new MessageKeys(config.messagePersistence() ? PERSISTENT : NOT_PERSISTENT);
        this.confirms = config.publisherConfirms() ? new ConfirmRing(config.confirmWindow()) : null;
        this.context = context;
    }

    /** Asks for what the broker has to say of messages. */
    QueueBenchmarkProducer start() throws IOException {
        channel.addShutdownListener(this::channelClosed);
        channel.addReturnListener(message -> messageReturned(message.getReplyText()));
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
        return this;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        AMQP.BasicProperties properties = keys.propertiesFor(key);
        String routingKey = routingKeys[partitions.of(key)];
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
            confirms.failAll(cause);
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

    private void messageReturned(String reason) {
        returned++;
        context.events()
                .clientError(
                        "message returned",
                        new DriverException("A message to exchange '" + exchange + "' came back: " + reason));
    }

    private void channelClosed(ShutdownSignalException signal) {
        if (!signal.isInitiatedByApplication()) {
            context.events().clientError("channel closed", signal);
        }
        if (confirms != null) {
            confirms.failAll(signal);
        }
    }

    // The end

    @Override
    public void close() {
        if (confirms == null) {
            Channels.close(channel);
        } else {
            confirms.close(context.timeout(), answered -> {
                // A broker that does not confirm does not answer either: the channel goes with its connection then.
                if (answered) {
                    Channels.close(channel);
                }
            });
        }
    }

    /** Releases the channel at once; what is not confirmed has failed. */
    void release() {
        if (confirms != null) {
            confirms.failAll();
        }
        Channels.close(channel);
    }
}
