package io.openmessaging.benchmark.broker.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a new broker: what RabbitMQ creates at its first start.
 *
 * @param user {@code guest} unless the user's settings say otherwise
 * @param password {@code guest} unless they do
 * @param virtualHost {@code /} unless they do
 * @param tls null for connections that are not encrypted
 */
record RabbitMqLogin(
        String user,
        String password,
        String virtualHost,
        @Nullable SSLContext tls) {

    private static final int TIMEOUT_MS = 5000;

    static RabbitMqLogin of(Map<String, String> settings) {
        return new RabbitMqLogin(
                settings.getOrDefault("default_user", "guest"),
                settings.getOrDefault("default_pass", "guest"),
                settings.getOrDefault("default_vhost", "/"),
                null);
    }

    /** To a broker with security. */
    RabbitMqLogin with(Security security, Credentials credentials) throws LocalBrokerException {
        return new RabbitMqLogin(
                security.login() ? Credentials.USER : user,
                security.login() ? credentials.password() : password,
                virtualHost,
                security.tls() ? credentials.sslContext() : null);
    }

    /** Connects to a node, {@code host:port}, by AMQP; whoever is not let in gets an {@link IOException}. */
    Connection connect(String address) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        InetSocketAddress node = LocalPorts.socketAddress(address);
        factory.setHost(node.getHostString());
        factory.setPort(node.getPort());
        factory.setUsername(user);
        factory.setPassword(password);
        factory.setVirtualHost(virtualHost);
        factory.setConnectionTimeout(TIMEOUT_MS);
        factory.setHandshakeTimeout(TIMEOUT_MS);
        factory.setChannelRpcTimeout(TIMEOUT_MS);
        factory.setAutomaticRecoveryEnabled(false);
        if (tls != null) {
            factory.useSslProtocol(tls);
        }
        return factory.newConnection();
    }
}
