package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverContext;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;

/** Artemis' JMS client, which uses connections of the core client. */
record ArtemisJms(ArtemisConnections connections, ArtemisConfig config, DriverContext context) implements JmsSystem {

    @Override
    public Wire forProducer() throws JMSException {
        return connect(connections.locator(true));
    }

    @Override
    public Wire forConsumer() throws JMSException {
        return connect(connections.locator(false));
    }

    // The factory owns only the locator, which is closed with the other connections.
    @SuppressWarnings("resource")
    private Wire connect(ServerLocator locator) throws JMSException {
        ActiveMQJMSConnectionFactory factory = new ActiveMQJMSConnectionFactory(locator);
        factory.setDupsOKBatchSize(config.ackBatchSize());
        ActiveMQConnection connection = (ActiveMQConnection) factory.createConnection(config.user(), config.password());
        ConnectionWatch watch = new ConnectionWatch(connections.nodes(), context.events());
        ClientLink.Connection core = new ClientLink.Connection(connection.getSessionFactory(), watch);
        return new Wire(connection, watch, () -> core.cut(connection.getInitialSession()));
    }

    @Override
    public Destination topic(String name) {
        return ActiveMQDestination.createTopic(name);
    }

    @Override
    public Destination queue(String name) {
        return ActiveMQDestination.createQueue(name);
    }

    /** Bypasses JMS, which requires names to be Java identifiers. */
    @Override
    public HeaderWriter headers(Map<String, String> headers) {
        List<OutgoingMessage.Header> properties = OutgoingMessage.Header.of(headers);
        return message -> {
            ClientMessage core = ((ActiveMQMessage) message).getCoreMessage();
            for (OutgoingMessage.Header property : properties) {
                core.putStringProperty(property.name(), property.value());
            }
        };
    }
}
