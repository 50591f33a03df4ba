package io.openmessaging.benchmark.harness.bare;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
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
 * Artemis' core client without anything of the benchmark: one thread sends as fast as the client accepts durable
 * messages, acknowledgements arrive asynchronously, one consumer reads and acknowledges.
 */
public final class BareArtemis extends VendorLoop {

    private final ClientSession session;
    private final ClientProducer producer;
    private final byte[] payload;

    private BareArtemis(ClientSession session, SimpleString topic, int payloadBytes) throws ActiveMQException {
        this.session = session;
        this.producer = session.createProducer(topic);
        this.payload = new byte[payloadBytes];
    }

    /**
     * Runs the loop.
     *
     * @param args the broker's address such as {@code tcp://127.0.0.1:61616}, the size of a message, seconds of the
     *     warm-up and of the measurement, the client's confirmation window (not below 0)
     */
    public static void main(String[] args) throws Exception {
        SimpleString topic = SimpleString.of("bare-" + UUID.randomUUID());
        try (ServerLocator senders = ActiveMQClient.createServerLocator(args[0])
                        .setConfirmationWindowSize(Integer.parseInt(args[4]))
                        .setBlockOnDurableSend(false);
                ServerLocator receivers = ActiveMQClient.createServerLocator(args[0]);
                ClientSession sending = senders.createSessionFactory().createSession()) {
            sending.createAddress(topic, RoutingType.MULTICAST, false);
            sending.createQueue(QueueConfiguration.of(topic)
                    .setAddress(topic)
                    .setRoutingType(RoutingType.MULTICAST)
                    .setDurable(true));
            BareArtemis loop = new BareArtemis(sending, topic, Integer.parseInt(args[1]));
            sending.setSendAcknowledgementHandler(message -> loop.acknowledged.increment());
            try (ClientSession receiving = receivers.createSessionFactory().createSession()) {
                receiving.createConsumer(topic).setMessageHandler(loop::receive);
                receiving.start();
                loop.measure(
                        TimeUnit.SECONDS.toNanos(Long.parseLong(args[2])),
                        TimeUnit.SECONDS.toNanos(Long.parseLong(args[3])));
                receiving.stop();
            }
            sending.deleteQueue(topic);
        }
        // Threads of the client's pools would keep the process alive for a minute.
        System.exit(0);
    }

    private void receive(ClientMessage message) {
        ActiveMQBuffer body = message.getBodyBuffer();
        body.readBytes(new byte[body.readableBytes()]);
        received.increment();
        try {
            message.acknowledge();
        } catch (ActiveMQException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void send() throws ActiveMQException {
        ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
        message.getBodyBuffer().writeBytes(payload);
        producer.send(message);
    }
}
