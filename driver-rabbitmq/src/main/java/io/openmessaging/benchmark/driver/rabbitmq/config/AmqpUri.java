package io.openmessaging.benchmark.driver.rabbitmq.config;

import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Address.Port;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The parts of {@code amqp://user:password@host:port/vhost}. The path is the vhost's name, percent-encoded; an empty
 * path or a single slash means the vhost {@code /}, as in RabbitMQ's own tools.
 *
 * @param parts the parts including the password: for a configuration, never for a message
 */
public record AmqpUri(Address parts) {

    private static final Address.Form FORM = new Address.Form(
            "a URI like amqp://user:password@host:5672/vhost", List.of("amqp", "amqps"), Port.OPTIONAL, true, true);

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if it is invalid; the message is a rule with the cause, and does not repeat the
     *     URI, since it may contain a password
     */
    static AmqpUri parse(String text) {
        Address parts = Address.parse(text, FORM);
        if (parts.rest().contains("?") || parts.rest().contains("#")) {
            throw new IllegalArgumentException(FORM.rule()
                    + ": remove what follows the vhost, such as ?heartbeat=10, and use the keys of the driver file");
        }
        if (parts.rest().indexOf('/', 1) > 0) {
            throw new IllegalArgumentException(
                    FORM.rule() + ": write a '/' in the name of the vhost as %2F, as in amqp://host/%2F");
        }
        return new AmqpUri(parts);
    }

    /** Masks the password in a text, even if the text is no valid URI. */
    static String masked(String text) {
        int at = text.lastIndexOf('@');
        int scheme = text.indexOf("://");
        int colon = text.indexOf(':', scheme < 0 ? 0 : scheme + 3);
        return at < 0 || colon < 0 || colon > at ? text : text.substring(0, colon) + ":***" + text.substring(at);
    }

    /** Returns a URI with the same login and vhost for another {@code host:port}. */
    public AmqpUri at(String address) {
        return parse(text(address));
    }

    /** The whole URI, with the password. */
    public String uri() {
        return text(parts.hostAndPort());
    }

    private String text(String address) {
        String login = parts.login().isEmpty() ? "" : parts.login() + "@";
        return parts.scheme() + "://" + login + address + parts.rest();
    }

    /**
     * URI for the stream client, which takes a host with an underscore for localhost, because {@link java.net.URI} does
     * not accept it: the host's IP address replaces such a name.
     */
    public static String ofStreams(String scheme, String hostAndPort) {
        return Address.parse(hostAndPort, Address.HOST_AND_PORT)
                .withScheme(scheme)
                .uri("")
                .toString();
    }

    public boolean tls() {
        return parts.scheme().equals("amqps");
    }

    /** The host as written in the URI, with IPv6 addresses in brackets. */
    public String host() {
        return parts.host();
    }

    /** The given port, or else the default one. */
    public int port() {
        return ConnectionFactory.portOrDefault(parts.port(), tls());
    }

    /** {@code host:port}. */
    public String address() {
        return host() + ":" + port();
    }

    /** The decoded vhost; {@code /} if not given. */
    public String vhost() {
        String path = parts.rest();
        return path.length() <= 1 ? ConnectionFactory.DEFAULT_VHOST : decoded(path.substring(1));
    }

    /** The decoded user; {@code guest} if there is no login. */
    public String user() {
        return login(0, ConnectionFactory.DEFAULT_USER);
    }

    /** The decoded password; empty if there is a user without one. */
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

    /** Keeps plus signs: in a URI's user and path, they do not stand for spaces. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Address, vhost and user, without the password. */
    @Override
    public String toString() {
        return address() + " (vhost '" + vhost() + "', user '" + user() + "')";
    }
}
