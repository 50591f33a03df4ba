package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A consumer with one JMS session, in which a client consumer reads the queue of each partition. A session delivers on
 * one thread at a time: the next call sees everything that {@link #deliver} writes. It acknowledges a message when the
 * listener returns.
 */
final class JmsBenchmarkConsumer implements BenchmarkConsumer {

    /** Limit for closing the session. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final JmsLink link;
    private final MessageListener listener;
    private final DriverEvents events;
    private final String keyProperty;
    private final String description;
    private final Duration timeout;

    /** Reused for consecutive messages of the same size. */
    private byte[] payload = new byte[0];

    private volatile boolean closed;

    /** Takes ownership of the session. */
    JmsBenchmarkConsumer(JmsLink link, ConsumerSpec spec, ArtemisConfig config, DriverContext context) {
        this.link = link;
        this.listener = spec.listener();
        this.events = context.events();
        this.keyProperty = config.keyCarrier().jmsProperty();
        this.description = "consumer " + spec.id();
        this.timeout = context.timeout();
    }

    /** Starts to read each partition from its queue. */
    void start(List<Destination> queues) throws JMSException {
        for (int i = 0; i < queues.size(); i++) {
            int partition = i;
            link.session().createConsumer(queues.get(i)).setMessageListener(message -> deliver(message, partition));
        }
        link.wire().jms().start();
    }

    private void deliver(Message message, int partition) {
        if (closed) {
            return;
        }
        try {
            read(message);
            long timeMs = message.getJMSTimestamp();
            listener.received(
                    message.getStringProperty(keyProperty),
                    payload,
                    partition,
                    timeMs == 0 ? MessageListener.NO_TIME : timeMs);
        } catch (JMSException | RuntimeException e) {
            if (!closed) {
                events.clientError("message delivery", e);
            }
        }
    }

    /** Messages of others may be texts; those of other kinds are only counted. */
    private void read(Message message) throws JMSException {
        if (!(message instanceof BytesMessage bytes)) {
            String text = message.isBodyAssignableTo(String.class) ? message.getBody(String.class) : null;
            payload = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            return;
        }
        int count = (int) bytes.getBodyLength();
        if (payload.length != count) {
            payload = new byte[count];
        }
        bytes.readBytes(payload);
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        CALLS.run("pause " + description, Deadline.in(timeout), link.wire().jms()::stop);
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        CALLS.run("resume " + description, Deadline.in(timeout), link.wire().jms()::start);
    }

    /** The client finishes a delivery under way, starts no other, and acknowledges what it has delivered. */
    @Override
    public void close() {
        link.close(CLOSE_LIMIT);
        // In case the client did not finish in time.
        closed = true;
    }
}
