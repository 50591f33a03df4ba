package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.jspecify.annotations.Nullable;

/**
 * One session and a client producer for each partition. A send copies the payload and blocks while the broker grants no
 * credits, which is Artemis' flow control: under the policy BLOCK it grants none for an address that is full.
 */
final class ArtemisBenchmarkProducer implements BenchmarkProducer {

    /** For the end of the session, and for answers that have come but have not been passed on. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(3);

    /** The client passes answers on in order, on one thread at a time; one object serves all messages. */
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

    /** Ends a session. */
    interface SessionEnd {

        /** Whatever is without an answer then fails; see {@link ClientLink#close}. */
        void within(Duration limit);
    }

    private final SessionEnd sessionEnd;
    private final ClientProducer[] clients;
    private final Partitions partitions;
    private final SimpleString keyProperty;
    private final boolean durable;
    private final boolean asynchronous;
    private final Duration timeout;
    private final Outstanding outstanding = new Outstanding();

    /**
     * Takes the session over.
     *
     * @param sessionEnd ends the session, which has {@link #ANSWERS} for its handler if sends are asynchronous
     * @param clients of the session, one for each partition, in order
     * @param firstPartition where messages without a key begin, so that several producers do not keep in step
     */
    ArtemisBenchmarkProducer(
            SessionEnd sessionEnd,
            List<ClientProducer> clients,
            int firstPartition,
            ArtemisConfig config,
            Duration timeout) {
        this.sessionEnd = sessionEnd;
        this.clients = clients.toArray(ClientProducer[]::new);
        this.partitions = new Partitions(clients.size(), firstPartition);
        this.keyProperty = config.keyCarrier().property();
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
        try {
            clients[partitions.of(key)].send(message);
        } catch (ActiveMQException | RuntimeException e) {
            refused(message, e);
            return;
        }
        if (!asynchronous) {
            // The broker has confirmed it, or, without any window, will not.
            message.acknowledged();
        }
    }

    private static void refused(OutgoingMessage message, Exception error) throws InterruptedException {
        try {
            ArtemisCalls.throwIfInterrupted(error);
            message.failed(error);
        } catch (InterruptedException e) {
            if (message.withdraw()) {
                throw e;
            }
            // The broker was faster: the message has been sent, and the interrupt is for the next one.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws DriverException {
        boolean interrupted = Thread.interrupted();
        try {
            if (!interrupted) {
                interrupted = !awaitAnswers(Deadline.in(timeout));
            }
            sessionEnd.within(RELEASE_LIMIT);
            // With the session, whatever is still without an answer has failed.
            interrupted |= !awaitAnswers(Deadline.in(RELEASE_LIMIT));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (outstanding.count() > 0) {
            throw new DriverException("Waited " + RELEASE_LIMIT.toMillis() + " ms after the end of a session for "
                    + outstanding.count() + " answers of the client");
        }
    }

    /** Returns false if the thread was interrupted. */
    private boolean awaitAnswers(Deadline deadline) {
        try {
            outstanding.awaitNone(deadline);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
