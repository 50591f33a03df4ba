package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.io.IOException;
import java.time.Duration;
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
    private final DriverEvents events;
    private final Duration timeout;

    /** The reading thread's: messages that came back and are not confirmed yet. */
    private int returned;

    private QueueBenchmarkProducer(
            Channel channel, ProducerSpec spec, boolean mandatory, RabbitMqConfig config, DriverContext context) {
        this.channel = channel;
        TopicSpec topic = spec.topic();
        this.exchange = topic.name();
        this.routingKeys = new String[topic.partitions()];
        for (int i = 0; i < routingKeys.length; i++) {
            routingKeys[i] = Integer.toString(i);
        }
        this.partitions = new Partitions(topic.partitions(), spec.id());
        this.mandatory = mandatory;
        this.keys = new MessageKeys(config.messagePersistence() ? PERSISTENT : NOT_PERSISTENT);
        this.confirms = config.publisherConfirms() ? new ConfirmRing(config.confirmWindow()) : null;
        this.events = context.events();
        this.timeout = context.timeout();
    }

    /**
     * Takes the channel over.
     *
     * @param mandatory whether a message that reaches no queue is a failure
     */
    static QueueBenchmarkProducer start(
            Channel channel, ProducerSpec spec, boolean mandatory, RabbitMqConfig config, DriverContext context)
            throws IOException {
        QueueBenchmarkProducer producer = new QueueBenchmarkProducer(channel, spec, mandatory, config, context);
        channel.addShutdownListener(producer::channelClosed);
        channel.addReturnListener(message -> producer.messageReturned(message.getReplyText()));
        if (producer.confirms != null) {
            channel.addConfirmListener(producer.new Confirms(producer.confirms));
            // Not confirmSelect(): the client would keep all unconfirmed numbers in a sorted set of its own.
            channel.rpc(new AMQP.Confirm.Select.Builder().build());
        }
        return producer;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        AMQP.BasicProperties properties = keys.propertiesFor(key);
        String routingKey = routingKeys[partitions.of(key)];
        ConfirmRing ring = confirms;
        if (ring == null) {
            sendUnconfirmed(routingKey, properties, payload, callback);
            return;
        }
        if (ring.add(callback) == 0) {
            return;
        }
        try {
            channel.basicPublish(exchange, routingKey, mandatory, properties, payload);
        } catch (AlreadyClosedException | IOException e) {
            ring.failAll(e);
        } catch (RuntimeException e) {
            // Refused by the client before anything was written.
            ring.takeBack(e);
        }
    }

    private void sendUnconfirmed(
            String routingKey, AMQP.BasicProperties properties, byte[] payload, SendCallback callback) {
        try {
            channel.basicPublish(exchange, routingKey, mandatory, properties, payload);
        } catch (IOException | RuntimeException e) {
            callback.failed(e);
            return;
        }
        callback.acknowledged();
    }

    // The connection's reading thread

    /** What the broker says of messages, in the order in which it does. */
    private final class Confirms implements ConfirmListener {

        private final ConfirmRing ring;
        private final ConfirmRing.Answer ack = this::tellAck;
        private final ConfirmRing.Answer nack = this::tellNack;
        private final DriverException nacked = new DriverException("The broker has refused the message (nack)");
        private final DriverException unroutable =
                new DriverException("The message came back: no queue is bound for it, so no subscription gets it");

        Confirms(ConfirmRing ring) {
            this.ring = ring;
        }

        @Override
        public void handleAck(long deliveryTag, boolean multiple) {
            ring.confirm(deliveryTag, multiple, ack);
        }

        @Override
        public void handleNack(long deliveryTag, boolean multiple) {
            ring.confirm(deliveryTag, multiple, nack);
        }

        private void tellAck(SendCallback callback) {
            if (returned == 0) {
                callback.acknowledged();
            } else {
                returned--;
                callback.failed(unroutable);
            }
        }

        private void tellNack(SendCallback callback) {
            events.clientError("message nacked", nacked);
            callback.failed(nacked);
        }
    }

    private void messageReturned(String reason) {
        returned++;
        events.clientError(
                "message returned",
                new DriverException("A message to exchange '" + exchange + "' came back: " + reason));
    }

    private void channelClosed(ShutdownSignalException signal) {
        if (!signal.isInitiatedByApplication()) {
            events.clientError("channel closed", signal);
        }
        if (confirms != null) {
            confirms.failAll(signal);
        }
    }

    // The end

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        boolean answers = true;
        try {
            if (!interrupted && confirms != null && !confirms.awaitAllAnswered(Deadline.in(timeout))) {
                answers = false;
                confirms.failAll(new DriverException("Waited " + timeout.toMillis()
                        + " ms for the broker's confirms of " + confirms.unanswered() + " messages"));
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            failUnconfirmed();
            // A broker that does not confirm does not answer either: the channel goes with its connection then.
            if (answers) {
                Channels.close(channel);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void failUnconfirmed() {
        if (confirms != null) {
            confirms.failAll(new DriverException("The producer was closed before the broker confirmed the message"));
        }
    }

    /** Releases the channel at once; what is not confirmed has failed. */
    void release() {
        failUnconfirmed();
        Channels.close(channel);
    }
}
