package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import java.time.Duration;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/**
 * A consumer with one session, in which a client consumer reads the queue of each partition. A session delivers on one
 * thread at a time: the next call sees everything that {@link #deliver} writes.
 */
final class ArtemisBenchmarkConsumer implements BenchmarkConsumer {

    /** Limit for closing the session. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ClientLink link;
    private final MessageListener listener;
    private final DriverEvents events;
    private final SimpleString keyProperty;
    private final String description;
    private final Duration timeout;

    /** Reused for consecutive messages of the same size. */
    private byte[] payload = new byte[0];

    private volatile boolean closed;

    /** Takes ownership of the session. */
    ArtemisBenchmarkConsumer(ClientLink link, ConsumerSpec spec, ArtemisConfig config, DriverContext context) {
        this.link = link;
        this.listener = spec.listener();
        this.events = context.events();
        this.keyProperty = config.keyCarrier().property();
        this.description = "consumer " + spec.id();
        this.timeout = context.timeout();
    }

    /** Starts to read each partition from its queue. */
    void start(List<SimpleString> queues) throws ActiveMQException {
        for (int i = 0; i < queues.size(); i++) {
            int partition = i;
            link.session().createConsumer(queues.get(i)).setMessageHandler(message -> deliver(message, partition));
        }
        link.session().start();
    }

    private void deliver(ClientMessage message, int partition) {
        if (closed) {
            return;
        }
        try {
            long timeMs = message.getTimestamp();
            listener.received(
                    message.getStringProperty(keyProperty),
                    payloadOf(message),
                    partition,
                    timeMs == 0 ? MessageListener.NO_TIME : timeMs);
            message.acknowledge();
        } catch (ActiveMQException | RuntimeException e) {
            // Errors are expected from a session that is being closed; the client would only log any others.
            if (!closed) {
                events.clientError("message delivery", e);
            }
        }
    }

    private byte[] payloadOf(ClientMessage message) {
        // For a large message, this waits for all its parts.
        ActiveMQBuffer body = message.getBodyBuffer();
        int bytes = body.readableBytes();
        if (payload.length != bytes) {
            payload = new byte[bytes];
        }
        body.readBytes(payload);
        return payload;
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        CALLS.run("pause " + description, Deadline.in(timeout), link.session()::stop);
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        CALLS.run("resume " + description, Deadline.in(timeout), link.session()::start);
    }

    /** The client finishes a delivery under way, starts no other, and acknowledges what it has delivered. */
    @Override
    public void close() {
        link.close(CLOSE_LIMIT);
        // In case the client did not finish in time.
        closed = true;
    }
}
