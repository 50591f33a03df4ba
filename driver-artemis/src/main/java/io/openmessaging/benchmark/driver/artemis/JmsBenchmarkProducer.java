package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A producer with one JMS session and a client producer for each partition. A send copies the payload, and blocks while
 * there are no credits.
 */
final class JmsBenchmarkProducer implements BenchmarkProducer {

    private final JmsLink link;
    private final MessageProducer[] clients;
    private final Partitions partitions;
    private final String keyProperty;
    private final JmsSystem.@Nullable HeaderWriter headers;
    private final boolean asynchronous;
    private final Duration timeout;
    private final Outstanding outstanding = new Outstanding();

    /**
     * Takes ownership of the session.
     *
     * @param clients the clients of the session, one for each partition, in order
     * @param spec specification, whose number decides where messages without a key start, so that several producers do
     *     not move in step
     */
    JmsBenchmarkProducer(
            JmsSystem system,
            JmsLink link,
            List<MessageProducer> clients,
            ProducerSpec spec,
            ArtemisConfig config,
            Duration timeout)
            throws JMSException {
        this.link = link;
        this.clients = clients.toArray(MessageProducer[]::new);
        this.partitions = new Partitions(clients.size(), spec.id());
        this.keyProperty = config.keyCarrier().jmsProperty();
        this.headers = spec.headers().isEmpty() ? null : system.headers(spec.headers());
        this.asynchronous = config.acknowledgesAsynchronously();
        this.timeout = timeout;
        for (MessageProducer client : clients) {
            // Like the core client, which sends neither: they are not needed.
            client.setDisableMessageID(true);
            client.setDisableMessageTimestamp(true);
            client.setDeliveryMode(config.durable() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        }
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        JmsAnswer answer = new JmsAnswer(callback, outstanding);
        try {
            BytesMessage message = link.session().createBytesMessage();
            message.writeBytes(payload);
            if (key != null) {
                message.setStringProperty(keyProperty, key);
            }
            if (headers != null) {
                headers.writeTo(message);
            }
            MessageProducer client = clients[partitions.of(key)];
            if (asynchronous) {
                client.send(message, answer);
            } else {
                client.send(message);
                answer.onCompletion(message);
            }
        } catch (JMSException | RuntimeException e) {
            ArtemisCalls.refused(e, answer::failed, answer::withdraw);
        }
    }

    @Override
    public void close() throws DriverException {
        ArtemisCalls.closeAfterAnswers(outstanding, timeout, link::close, ArtemisCalls.RELEASE_LIMIT);
    }

    /** Passes on the outcome of a message. The client may answer twice: the first answer counts. True once answered. */
    private static final class JmsAnswer extends AtomicBoolean implements CompletionListener {

        @Serial
        private static final long serialVersionUID = 1;

        private final transient SendCallback callback;
        private final transient Outstanding outstanding;

        /** Counts the message as outstanding from now on. */
        JmsAnswer(SendCallback callback, Outstanding outstanding) {
            this.callback = callback;
            this.outstanding = outstanding;
            outstanding.sent();
        }

        @Override
        public void onCompletion(Message message) {
            if (compareAndSet(false, true)) {
                callback.acknowledged();
                outstanding.answered();
            }
        }

        @Override
        public void onException(Message message, Exception cause) {
            failed(cause);
        }

        void failed(Exception cause) {
            if (compareAndSet(false, true)) {
                callback.failed(cause);
                outstanding.answered();
            }
        }

        /**
         * Takes the message back without calling the callback.
         *
         * @return false if it is answered already
         */
        boolean withdraw() {
            boolean first = compareAndSet(false, true);
            if (first) {
                outstanding.answered();
            }
            return first;
        }
    }
}
