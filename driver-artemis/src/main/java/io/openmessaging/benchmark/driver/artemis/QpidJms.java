package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTls;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.JmsConnectionListener;
import org.apache.qpid.jms.JmsQueue;
import org.apache.qpid.jms.JmsTopic;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;

/** Qpid JMS, a client for AMQP 1.0. It reconnects by itself, to any of the brokers. */
record QpidJms(ArtemisConfig config, DriverContext context) implements JmsSystem {

    private static final String CLOSE_LIMIT_MS = "3000";

    /** Short compared to the start of a broker, long compared to an attempt. */
    private static final String RETRY_MS = "200";

    @Override
    public Wire forProducer() throws JMSException {
        return connect();
    }

    @Override
    public Wire forConsumer() throws JMSException {
        return connect();
    }

    private Wire connect() throws JMSException {
        List<String> nodes = BrokerAddress.parse(config.brokerAddress()).hostsAndPorts();
        ConnectionWatch watch = new ConnectionWatch(String.join(",", nodes), context.events());
        JmsConnectionFactory factory = new JmsConnectionFactory(uri(nodes));
        JmsConnection connection = (JmsConnection) factory.createConnection(config.user(), config.password());
        connection.addConnectionListener(new QpidWatch(watch));
        // Closing has its own limit, after which it does not wait for the broker.
        return new Wire(connection, watch, () -> {});
    }

    /** For example {@code failover:(amqp://a:61616,amqp://b:61616)?key=value}. */
    private String uri(List<String> nodes) {
        String timeoutMs = Long.toString(context.timeout().toMillis());
        Map<String, String> options = new LinkedHashMap<>();
        options.put("failover.startupMaxReconnectAttempts", "1");
        options.put("failover.maxReconnectAttempts", "-1");
        options.put("failover.useReconnectBackOff", "false");
        options.put("failover.reconnectDelay", RETRY_MS);
        options.put("failover.nested.transport.connectTimeout", timeoutMs);
        options.put("jms.requestTimeout", timeoutMs);
        options.put("jms.connectTimeout", timeoutMs);
        options.put("jms.closeTimeout", CLOSE_LIMIT_MS);
        // Names of headers need not be Java identifiers.
        options.put("jms.validatePropertyNames", "false");
        ArtemisTls tls = config.tls();
        if (tls != null) {
            tls.qpidOptions().forEach((key, value) -> options.put("failover.nested.transport." + key, value));
        }
        String scheme = tls == null ? "amqp://" : "amqps://";
        return nodes.stream().map(scheme::concat).collect(Collectors.joining(",", "failover:(", ")?"))
                + options.entrySet().stream()
                        .map(option ->
                                option.getKey() + "=" + URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    @Override
    public Destination topic(String name) {
        return new JmsTopic(name);
    }

    @Override
    public Destination queue(String name) {
        return new JmsQueue(name);
    }

    @Override
    public HeaderWriter headers(Map<String, String> headers) {
        return message -> {
            for (Map.Entry<String, String> header : headers.entrySet()) {
                message.setStringProperty(header.getKey(), header.getValue());
            }
        };
    }

    /** Forwards Qpid's events of one connection to its watch. */
    private record QpidWatch(ConnectionWatch watch) implements JmsConnectionListener {

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
}
