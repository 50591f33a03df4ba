package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.jspecify.annotations.Nullable;

/**
 * A producer with one session and a client producer for each partition. A send copies the payload, and blocks while the
 * broker grants no credits, which is Artemis' flow control: with the policy BLOCK, it grants none for a full address.
 */
final class ArtemisBenchmarkProducer implements BenchmarkProducer {

    /** The client passes on answers in order, on one thread at a time; one object serves all messages. */
    static final SendAcknowledgementHandler ANSWERS = new SendAcknowledgementHandler() {
        @Override
        public void sendAcknowledged(Message message) {
            ((OutgoingMessage) message).acknowledged();
        }

        @Override
        public void sendFailed(Message message, Exception cause) {
            ((OutgoingMessage) message).failed(cause);
        }
    };

    private final Consumer<Duration> sessionEnd;
    private final ClientProducer[] clients;
    private final Partitions partitions;
    private final SimpleString keyProperty;
    private final OutgoingMessage.Header[] headers;
    private final boolean durable;
    private final boolean asynchronous;
    private final Duration timeout;
    private final Outstanding outstanding = new Outstanding();

    /**
     * Takes ownership of the session.
     *
     * @param sessionEnd ends the session within a limit, see {@link ClientLink#close}, so that unanswered messages then
     *     fail; the session has {@link #ANSWERS} as its handler if sends are asynchronous
     * @param clients the clients of the session, one for each partition, in order
     * @param spec specification, whose number decides where messages without a key start, so that several producers do
     *     not move in step
     */
    ArtemisBenchmarkProducer(
            Consumer<Duration> sessionEnd,
            List<ClientProducer> clients,
            ProducerSpec spec,
            ArtemisConfig config,
            Duration timeout) {
        this.sessionEnd = sessionEnd;
        this.clients = clients.toArray(ClientProducer[]::new);
        this.partitions = new Partitions(clients.size(), spec.id());
        this.keyProperty = config.keyCarrier().property();
        this.headers = OutgoingMessage.Header.of(spec.headers()).toArray(OutgoingMessage.Header[]::new);
        this.durable = config.durable();
        this.asynchronous = config.acknowledgesAsynchronously();
        this.timeout = timeout;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        OutgoingMessage message = new OutgoingMessage(durable, payload, callback, outstanding);
        if (key != null) {
            message.putStringProperty(keyProperty, SimpleString.of(key));
        }
        for (OutgoingMessage.Header header : headers) {
            message.putStringProperty(header.name(), header.value());
        }
        try {
            clients[partitions.of(key)].send(message);
        } catch (ActiveMQException | RuntimeException e) {
            ArtemisCalls.refused(e, message::failed, message::withdraw);
            return;
        }
        if (!asynchronous) {
            // The broker has confirmed the message, or confirms no single messages.
            message.acknowledged();
        }
    }

    @Override
    public void close() throws DriverException {
        ArtemisCalls.closeAfterAnswers(outstanding, timeout, sessionEnd, ArtemisCalls.RELEASE_LIMIT);
    }
}
