package io.openmessaging.benchmark.harness.bare;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * What Artemis' core client does when nothing of the benchmark is in its way: one thread sends as fast as the client
 * takes durable messages, acknowledgements come asynchronously, one consumer reads and acknowledges. Prints one line, {@code
 * published_per_s=… received_per_s=…}, of the time after the warm-up.
 */
public final class BareArtemis {

    private static final long NS_PER_S = 1_000_000_000;
    private static final int CLOCK_EVERY = 64;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    private BareArtemis() {}

    /**
     * Runs.
     *
     * @param args the broker's address such as {@code tcp://127.0.0.1:61616}, the size of a message, seconds before and
     *     of the measurement, the client's confirmation window (not below 0)
     */
    public static void main(String[] args) throws Exception {
        new BareArtemis()
                .run(
                        args[0],
                        Integer.parseInt(args[1]),
                        Long.parseLong(args[2]) * NS_PER_S,
                        Long.parseLong(args[3]) * NS_PER_S,
                        Integer.parseInt(args[4]));
        // The client's pools have threads that would keep the process for a minute.
        System.exit(0);
    }

    private void run(String address, int payloadBytes, long warmupNs, long measureNs, int confirmationWindow)
            throws Exception {
        SimpleString topic = SimpleString.of("bare-" + UUID.randomUUID());
        try (ServerLocator senders = ActiveMQClient.createServerLocator(address)
                        .setConfirmationWindowSize(confirmationWindow)
                        .setBlockOnDurableSend(false);
                ServerLocator receivers = ActiveMQClient.createServerLocator(address);
                ClientSession sending = senders.createSessionFactory().createSession()) {
            sending.createAddress(topic, RoutingType.MULTICAST, false);
            sending.createQueue(QueueConfiguration.of(topic)
                    .setAddress(topic)
                    .setRoutingType(RoutingType.MULTICAST)
                    .setDurable(true));
            sending.setSendAcknowledgementHandler(message -> acknowledged.incrementAndGet());
            try (ClientSession receiving = receivers.createSessionFactory().createSession()) {
                receiving.createConsumer(topic).setMessageHandler(this::receive);
                receiving.start();
                measure(sending, topic, new byte[payloadBytes], warmupNs, measureNs);
                receiving.stop();
            }
            sending.deleteQueue(topic);
        }
    }

    private void receive(ClientMessage message) {
        ActiveMQBuffer body = message.getBodyBuffer();
        byte[] payload = new byte[body.readableBytes()];
        body.readBytes(payload);
        received.incrementAndGet();
        try {
            message.acknowledge();
        } catch (ActiveMQException e) {
            throw new IllegalStateException(e);
        }
    }

    private void measure(ClientSession session, SimpleString topic, byte[] payload, long warmupNs, long measureNs)
            throws ActiveMQException {
        ClientProducer producer = session.createProducer(topic);
        sendFor(warmupNs, session, producer, payload);
        long acknowledgedBefore = acknowledged.get();
        long receivedBefore = received.get();
        long startNs = System.nanoTime();
        sendFor(measureNs, session, producer, payload);
        double seconds = (System.nanoTime() - startNs) / (double) NS_PER_S;
        System.out.printf(
                "published_per_s=%.0f received_per_s=%.0f%n",
                (acknowledged.get() - acknowledgedBefore) / seconds, (received.get() - receivedBefore) / seconds);
    }

    private static void sendFor(long durationNs, ClientSession session, ClientProducer producer, byte[] payload)
            throws ActiveMQException {
        long endNs = System.nanoTime() + durationNs;
        while (System.nanoTime() - endNs < 0) {
            for (int i = 0; i < CLOCK_EVERY; i++) {
                ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
                message.getBodyBuffer().writeBytes(payload);
                producer.send(message);
            }
        }
    }
}
