package io.openmessaging.benchmark.driver.rabbitmq.config;

import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Address.Port;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The parts of {@code amqp://user:password@host:port/vhost}. The path is the vhost's name, percent-encoded; none at all,
 * or a single slash, is the vhost {@code /}, as for RabbitMQ's own tools.
 *
 * @param parts with the password: for a configuration, never for a message
 */
public record AmqpUri(Address parts) {

    private static final Address.Form FORM = new Address.Form(
            "a URI like amqp://user:password@host:5672/vhost", List.of("amqp", "amqps"), Port.OPTIONAL, true, true);

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is none; the message is a rule with the cause, and does not repeat the URI, since
     *     it may hold a password
     */
    static AmqpUri parse(String text) {
        Address parts = Address.parse(text, FORM);
        if (parts.rest().contains("?") || parts.rest().contains("#")) {
            throw new IllegalArgumentException(FORM.rule()
                    + ": nothing may follow the vhost, such as ?heartbeat=10: the driver file has keys of its own");
        }
        if (parts.rest().indexOf('/', 1) > 0) {
            throw new IllegalArgumentException(
                    FORM.rule() + ": a '/' in the name of the vhost is %2F, as in amqp://host/%2F");
        }
        return new AmqpUri(parts);
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
        return parse(text(address));
    }

    /** As a whole, with the password. */
    public String uri() {
        return text(parts.hostAndPort());
    }

    private String text(String address) {
        String login = parts.login().isEmpty() ? "" : parts.login() + "@";
        return parts.scheme() + "://" + login + address + parts.rest();
    }

    /**
     * For the client of streams, which takes a host with an underscore for localhost, because {@link java.net.URI} does not
     * know it: such a host is there by its number.
     */
    public static String ofStreams(String scheme, String hostAndPort) {
        return Address.parse(hostAndPort, Address.HOST_AND_PORT)
                .withScheme(scheme)
                .uri("")
                .toString();
    }

    /** Whether the connection is encrypted. */
    public boolean tls() {
        return parts.scheme().equals("amqps");
    }

    /** As it stands in the URI, an address of IPv6 in brackets. */
    public String host() {
        return parts.host();
    }

    /** The one given, or the usual one. */
    public int port() {
        return ConnectionFactory.portOrDefault(parts.port(), tls());
    }

    /** {@code host:port}. */
    public String address() {
        return host() + ":" + port();
    }

    /** Decoded; {@code /} unless given. */
    public String vhost() {
        String path = parts.rest();
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
        if (parts.login().isEmpty()) {
            return otherwise;
        }
        String[] login = parts.login().split(":", 2);
        return part < login.length ? decoded(login[part]) : "";
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
