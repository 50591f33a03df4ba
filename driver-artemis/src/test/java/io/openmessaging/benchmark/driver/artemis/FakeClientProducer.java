package io.openmessaging.benchmark.driver.artemis;

import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.jspecify.annotations.Nullable;

/** A client producer that stores messages, or handles them as the test specifies. */
final class FakeClientProducer implements ClientProducer {

    /** Handles sent messages in place of a connection to the broker. */
    interface Wire {
        void take(OutgoingMessage message) throws ActiveMQException;
    }

    private final List<OutgoingMessage> sent = new ArrayList<>();
    private Wire wire = sent::add;

    /** Returns the messages that were sent and stored. */
    List<OutgoingMessage> sent() {
        return sent;
    }

    void onSend(Wire behaviour) {
        wire = behaviour;
    }

    @Override
    public void send(Message message) throws ActiveMQException {
        wire.take((OutgoingMessage) message);
    }

    @Override
    public void send(Message message, SendAcknowledgementHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(SimpleString address, Message message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(SimpleString address, Message message, SendAcknowledgementHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(String address, Message message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable SimpleString getAddress() {
        return null;
    }

    @Override
    public void close() {}

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public boolean isBlockOnDurableSend() {
        return false;
    }

    @Override
    public boolean isBlockOnNonDurableSend() {
        return false;
    }

    @Override
    public int getMaxRate() {
        return -1;
    }
}
