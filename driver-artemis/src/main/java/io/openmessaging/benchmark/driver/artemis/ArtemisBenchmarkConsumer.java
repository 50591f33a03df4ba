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
 * One session, in which a client consumer reads the queue of each partition. A session delivers on one thread at a time:
 * what is written in {@link #deliver} is seen by the next call.
 */
final class ArtemisBenchmarkConsumer implements BenchmarkConsumer {

    /** For the end of the session. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ClientLink link;
    private final MessageListener listener;
    private final DriverEvents events;
    private final SimpleString keyProperty;
    private final String description;
    private final Duration timeout;

    /** Serves message after message as long as they are of one size. */
    private byte[] payload = new byte[0];

    private volatile boolean closed;

    /** Takes the session over. */
    ArtemisBenchmarkConsumer(ClientLink link, ConsumerSpec spec, ArtemisConfig config, DriverContext context) {
        this.link = link;
        this.listener = spec.listener();
        this.events = context.events();
        this.keyProperty = config.keyCarrier().property();
        this.description = "consumer " + spec.id();
        this.timeout = context.timeout();
    }

    /** Begins to read, for each partition from its queue. */
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
            // Of a session that ends meanwhile, which is no news; else the client would only log it.
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

    /** The client waits for a delivery that is under way, begins no other, and acknowledges what it has delivered. */
    @Override
    public void close() {
        link.close(CLOSE_LIMIT);
        // Should the client not have managed it in time.
        closed = true;
    }
}
