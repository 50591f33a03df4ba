package io.openmessaging.benchmark.driver.rabbitmq.config;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The parts of {@code amqp://user:password@host:port/vhost}. The path is the vhost's name, percent-encoded; none at all,
 * or a single slash, is the vhost {@code /}, as for RabbitMQ's own tools.
 *
 * @param uri as a whole, with the password: for a configuration, never for a message
 */
public record AmqpUri(URI uri) {

    static final String RULE = "must be a URI like amqp://user:password@host:5672/vhost";

    private static final int HIGHEST_PORT = 65_535;

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
        String path = String.valueOf(uri.getRawPath());
        boolean usable = List.of("amqp", "amqps").contains(String.valueOf(uri.getScheme()))
                && uri.getHost() != null
                && uri.getPort() != 0
                && uri.getPort() <= HIGHEST_PORT
                && path.indexOf('/', 1) < 0
                && uri.getRawQuery() == null;
        if (!usable) {
            throw new IllegalArgumentException(RULE);
        }
        return new AmqpUri(uri);
    }

    /** The text without the password, whether or not it can be read as a URI. */
    static String masked(String text) {
        int at = text.lastIndexOf('@');
        int scheme = text.indexOf("://");
        int colon = text.indexOf(':', scheme < 0 ? 0 : scheme + 3);
        return at < 0 || colon < 0 || colon > at ? text : text.substring(0, colon) + ":***" + text.substring(at);
    }

    /** The same login and vhost on another {@code host:port}. */
    public AmqpUri at(String address) {
        String login = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
        return new AmqpUri(URI.create(uri.getScheme() + "://" + login + address + uri.getRawPath()));
    }

    /** Whether the connection is encrypted. */
    public boolean tls() {
        return "amqps".equals(uri.getScheme());
    }

    /** As it stands in the URI, an address of IPv6 in brackets. */
    public String host() {
        return uri.getHost();
    }

    /** The one given, or the usual one. */
    public int port() {
        return ConnectionFactory.portOrDefault(uri.getPort(), tls());
    }

    /** {@code host:port}. */
    public String address() {
        return host() + ":" + port();
    }

    /** Decoded; {@code /} unless given. */
    public String vhost() {
        String path = uri.getRawPath();
        return path.length() <= 1 ? ConnectionFactory.DEFAULT_VHOST : decoded(path.substring(1));
    }

    /** Decoded; {@code guest} if there is no login. */
    public String user() {
        return login(0, ConnectionFactory.DEFAULT_USER);
    }

    /** Decoded; empty if there is a user without one. */
    public String password() {
        return login(1, ConnectionFactory.DEFAULT_PASS);
    }

    private String login(int part, String otherwise) {
        if (uri.getRawUserInfo() == null) {
            return otherwise;
        }
        String[] parts = uri.getRawUserInfo().split(":", 2);
        return part < parts.length ? decoded(parts[part]) : "";
    }

    /** In a URI's user and path a plus is a plus. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Where it leads and as whom, without the password. */
    @Override
    public String toString() {
        return address() + " (vhost '" + vhost() + "', user '" + user() + "')";
    }
}
