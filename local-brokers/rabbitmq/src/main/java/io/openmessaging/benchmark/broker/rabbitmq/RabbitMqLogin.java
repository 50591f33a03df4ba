package io.openmessaging.benchmark.broker.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The login of a new broker, which RabbitMQ creates at its first start.
 *
 * @param user the user; {@code guest} unless the user's settings say otherwise
 * @param password the password; {@code guest} unless they do
 * @param virtualHost the virtual host; {@code /} unless they do
 * @param tls the TLS context; null for connections that are not encrypted
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

    /** Returns the login for a broker with these credentials. */
    RabbitMqLogin with(Credentials credentials) throws LocalBrokerException {
        return new RabbitMqLogin(
                credentials.login() ? Credentials.USER : user,
                credentials.login() ? credentials.password() : password,
                virtualHost,
                credentials.sslContext());
    }

    /** Connects to a node, {@code host:port}, by AMQP; throws an {@link IOException} if the login is refused. */
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
