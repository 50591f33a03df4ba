package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of {@code amqp://user:password@host:port/vhost}. The path is the vhost's name, percent-encoded; none at all,
 * or a single slash, is the vhost {@code /}, as for RabbitMQ's own tools.
 *
 * @param tls whether the scheme is {@code amqps}
 * @param userInfo user and password as they stand in the URI, encoded; null for none
 * @param path as it stands in the URI, encoded; empty for none
 */
record AmqpUri(boolean tls, @Nullable String userInfo, String host, int port, String path) {

    static final String RULE = "must be a URI like amqp://user:password@host:5672/vhost";

    private static final List<String> SCHEMES = List.of("amqp", "amqps");

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is none; the message does not repeat it, since it may hold a password
     */
    static AmqpUri parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(RULE);
        }
        String scheme = uri.getScheme();
        String host = uri.getHost();
        boolean usable = scheme != null && SCHEMES.contains(scheme) && host != null && uri.getPort() != 0;
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (!usable || uri.getPort() > 65_535 || path.indexOf('/', 1) > 0 || uri.getRawQuery() != null) {
            throw new IllegalArgumentException(RULE);
        }
        boolean tls = "amqps".equals(scheme);
        return new AmqpUri(tls, uri.getRawUserInfo(), host, ConnectionFactory.portOrDefault(uri.getPort(), tls), path);
    }

    /** The text without the password, whether or not it can be read as a URI. */
    static String masked(String text) {
        int at = text.lastIndexOf('@');
        int scheme = text.indexOf("://");
        int colon = text.indexOf(':', scheme < 0 ? 0 : scheme + 3);
        return at < 0 || colon < 0 || colon > at ? text : text.substring(0, colon) + ":***" + text.substring(at);
    }

    /** The same login and vhost on another {@code host:port}. */
    AmqpUri at(String address) {
        int colon = address.lastIndexOf(':');
        return new AmqpUri(
                tls, userInfo, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), path);
    }

    /** {@code host:port}. */
    String address() {
        return host + ":" + port;
    }

    String vhost() {
        return path.length() <= 1 ? ConnectionFactory.DEFAULT_VHOST : decoded(path.substring(1));
    }

    String user() {
        return userInfo == null ? ConnectionFactory.DEFAULT_USER : decoded(userInfo.split(":", 2)[0]);
    }

    String password() {
        if (userInfo == null) {
            return ConnectionFactory.DEFAULT_PASS;
        }
        String[] parts = userInfo.split(":", 2);
        return parts.length == 1 ? "" : decoded(parts[1]);
    }

    /** In a URI's user and path a plus is a plus. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The whole URI, with the password: for a configuration, never for a message. */
    String toUri() {
        return (tls ? "amqps://" : "amqp://") + (userInfo == null ? "" : userInfo + "@") + address() + path;
    }

    /** Where it leads and as whom, without the password. */
    @Override
    public String toString() {
        return address() + " (vhost '" + vhost() + "', user '" + user() + "')";
    }
}
