package io.openmessaging.benchmark.driver.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import org.apache.qpid.jms.JmsConnectionListener;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;

/** Forwards Qpid's events of one connection to its watch. */
record QpidWatch(ConnectionWatch watch) implements JmsConnectionListener {

    @Override
    public void onConnectionInterrupted(URI broker) {
        watch.lost(new JMSException("the connection to " + broker.getAuthority() + " was interrupted"));
    }

    @Override
    public void onConnectionRestored(URI broker) {
        watch.restored();
    }

    @Override
    public void onConnectionFailure(Throwable error) {
        watch.gone(error);
    }

    // Closed by the broker, and not reopened.

    @Override
    public void onSessionClosed(Session session, Throwable error) {
        watch.gone(error);
    }

    @Override
    public void onConsumerClosed(MessageConsumer consumer, Throwable error) {
        watch.gone(error);
    }

    @Override
    public void onProducerClosed(MessageProducer producer, Throwable error) {
        watch.gone(error);
    }

    // Ignored.

    @Override
    public void onConnectionEstablished(URI broker) {}

    @Override
    public void onInboundMessage(JmsInboundMessageDispatch message) {}
}
