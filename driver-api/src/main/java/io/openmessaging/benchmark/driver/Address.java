package io.openmessaging.benchmark.driver;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A network address as users write it. This is the only parser of addresses: for drivers, workers and exporters. A
 * host may contain underscores, as the names of containers do, although {@link URI} does not accept such a host. An
 * IPv6 address is written in brackets, which it keeps; without a scheme the brackets are optional.
 *
 * @param scheme in lower case; empty for none
 * @param login the part before an {@code @}, percent-encoded, with a password if there is one; empty for none
 * @param host a name or a number
 * @param port {@link #NO_PORT} for none
 * @param rest path, query and fragment, each with its delimiter; empty for none
 */
public record Address(String scheme, String login, String host, int port, String rest) {

    /** The rule for the port of an address. */
    public enum Port {
        REQUIRED,
        OPTIONAL,
        ABSENT
    }

    /**
     * The required form of an address.
     *
     * @param example example for messages
     * @param schemes permitted schemes; empty to permit none
     * @param login true if a user, or a user and a password, may precede the host
     * @param rest true if a path, query or fragment may follow
     */
    public record Form(String example, List<String> schemes, Port port, boolean login, boolean rest) {

        /** {@code must be …}. */
        public String rule() {
            return "must be " + example;
        }
    }

    /** {@code host:port}. */
    public static final Form HOST_AND_PORT = new Form("host:port", List.of(), Port.REQUIRED, false, false);

    public static final Form HOST = new Form("a host", List.of(), Port.ABSENT, false, false);

    /** The port of an address that has none. */
    public static final int NO_PORT = -1;

    private static final int HIGHEST_PORT = 65_535;
    private static final int MAX_HOST_CHARACTERS = 253;
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\$\\{([^{}]*)}|\\$\\(?([A-Za-z_]\\w*)\\)?|\\{\\{(.*?)}}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_]\\w*");
    private static final Pattern IPV6 =
            Pattern.compile("\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%[\\w.-]+)?]?");
    private static final Pattern NO_PART_OF_A_NAME = Pattern.compile("[^\\p{L}\\p{M}\\p{N}._-]");
    private static final Pattern FOUR_NUMBERS = Pattern.compile("[0-9]+(?:\\.[0-9]+){3}");
    private static final Pattern BYTE = Pattern.compile("0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})");
    private static final Pattern BLANK = Pattern.compile("[\\s\\p{Cntrl}]");
    private static final Pattern LOGIN = Pattern.compile("(^|://)[^@/]*@");

    /** Reserved by RFC 2606 for names that never resolve. */
    private static final String UNKNOWN_HOST = "unknown.invalid";

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if it has another form; the message is the form's rule with the cause, and
     *     repeats nothing that may be a password
     */
    public static Address parse(String text, Form form) {
        Address split = split(text.strip(), form);
        problem(text.strip(), split, form).ifPresent(cause -> {
            throw new IllegalArgumentException(form.rule() + ": " + cause);
        });
        return split;
    }

    /** Returns the broken rule with its cause, see {@link #parse}; empty if the address has that form. */
    public static Optional<String> problem(String text, Form form) {
        String stripped = text.strip();
        return problem(stripped, split(stripped, form), form).map(cause -> form.rule() + ": " + cause);
    }

    /** Returns the text without its login, for messages. */
    public static String withoutLogin(String text) {
        return LOGIN.matcher(text).replaceAll("$1***@");
    }

    /** Splits the text as far as possible; the port is 0 if it is not a number. */
    private static Address split(String text, Form form) {
        int schemeEnd = text.indexOf("://");
        String behind = schemeEnd < 0 ? text : text.substring(schemeEnd + 3);
        int restBegin = 0;
        while (restBegin < behind.length() && "/?#".indexOf(behind.charAt(restBegin)) < 0) {
            restBegin++;
        }
        String authority = behind.substring(0, restBegin);
        int at = authority.lastIndexOf('@');
        String hostAndPort = authority.substring(at + 1);
        boolean hostAlone = hostAndPort.endsWith("]")
                || form.port() == Port.ABSENT && IPV6.matcher(hostAndPort).matches();
        int colon = hostAlone ? -1 : hostAndPort.lastIndexOf(':');
        String port = colon < 0 ? "" : hostAndPort.substring(colon + 1);
        return new Address(
                schemeEnd < 0 ? "" : text.substring(0, schemeEnd).toLowerCase(Locale.ROOT),
                at < 0 ? "" : authority.substring(0, at),
                colon < 0 ? hostAndPort : hostAndPort.substring(0, colon),
                colon < 0 ? NO_PORT : port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0,
                behind.substring(restBegin));
    }

    private static Optional<String> problem(String text, Address found, Form form) {
        if (text.isEmpty()) {
            return Optional.of("it is empty");
        }
        // A login may contain anything and must not appear in a message.
        Matcher placeholder = PLACEHOLDER.matcher(text.substring(text.lastIndexOf('@') + 1));
        if (placeholder.find()) {
            String name = placeholder.group(1) == null ? placeholder.group(2) : placeholder.group(1);
            return Optional.of("no value replaces " + placeholder.group() + "; in a driver file, ${env:"
                    + (name != null && VARIABLE.matcher(name).matches() ? name : "NAME")
                    + "} reads an environment variable");
        }
        if (BLANK.matcher(text).find()) {
            return Optional.of("it contains a blank or a control character");
        }
        return problemOfScheme(found, form)
                .or(() -> problemOfLogin(found, form))
                .or(() -> problemOfHost(found, form))
                .or(() -> problemOfPort(found, form))
                .or(() -> problemOfRest(found, form));
    }

    private static Optional<String> problemOfScheme(Address found, Form form) {
        String allowed = form.schemes().stream().map(scheme -> scheme + "://").collect(Collectors.joining(" or "));
        if (form.schemes().isEmpty()) {
            return found.scheme.isEmpty()
                    ? Optional.empty()
                    : Optional.of("remove " + found.scheme + ":// from the start");
        }
        if (form.schemes().contains(found.scheme)) {
            return Optional.empty();
        }
        return Optional.of(
                found.scheme.isEmpty()
                        ? "it does not start with " + allowed
                        : "it starts with " + found.scheme + "://, not with " + allowed);
    }

    private static Optional<String> problemOfLogin(Address found, Form form) {
        if (!form.login()) {
            return found.login.isEmpty() ? Optional.empty() : Optional.of("it must not contain a login");
        }
        if (found.rest.contains("@")) {
            return Optional.of("write a '/', '?' or '#' in the login as %2F, %3F or %23");
        }
        return isUri("x://" + (found.login.isEmpty() ? "" : found.login + "@") + "host")
                ? Optional.empty()
                : Optional.of("a character in the login must be percent-encoded");
    }

    private static Optional<String> problemOfHost(Address found, Form form) {
        String host = found.host;
        if (host.contains(",") || host.contains(";")) {
            return Optional.of("it contains several addresses; list each as a separate entry");
        }
        if (host.isEmpty()) {
            return Optional.of("the host is missing");
        }
        if (IPV6.matcher(host).matches()) {
            boolean brackets = host.startsWith("[") && host.endsWith("]");
            boolean bare = !host.contains("[") && !host.contains("]");
            return brackets || bare && form.schemes().isEmpty()
                    ? Optional.empty()
                    : Optional.of("an IPv6 address must be in brackets, as in [::1]");
        }
        if (host.contains(":") && form.port() != Port.ABSENT) {
            return Optional.of("it contains several colons");
        }
        Matcher wrong = NO_PART_OF_A_NAME.matcher(host);
        if (wrong.find()) {
            return Optional.of("the host contains '" + wrong.group() + "', which is not allowed in a host name");
        }
        boolean outOfRange = FOUR_NUMBERS.matcher(host).matches()
                && !List.of(host.split("\\.")).stream()
                        .allMatch(number -> BYTE.matcher(number).matches());
        return outOfRange || host.length() > MAX_HOST_CHARACTERS
                ? Optional.of(
                        outOfRange ? "each number of an IPv4 address must be from 0 to 255" : "the host is too long")
                : Optional.empty();
    }

    private static Optional<String> problemOfPort(Address found, Form form) {
        if (found.port == NO_PORT) {
            return form.port() == Port.REQUIRED ? Optional.of("the port is missing") : Optional.empty();
        }
        if (form.port() == Port.ABSENT) {
            return Optional.of("it must not contain a port");
        }
        return found.port >= 1 && found.port <= HIGHEST_PORT
                ? Optional.empty()
                : Optional.of("the port is not a number from 1 to " + HIGHEST_PORT);
    }

    private static Optional<String> problemOfRest(Address found, Form form) {
        if (!form.rest()) {
            // A path without a name means nothing.
            return found.rest.isEmpty()
                            || found.rest.equals("/") && !form.schemes().isEmpty()
                    ? Optional.empty()
                    : Optional.of("remove '" + found.rest + "' from the end");
        }
        return isUri("x://host" + found.rest)
                ? Optional.empty()
                : Optional.of("a character after the port must be percent-encoded");
    }

    private static boolean isUri(String text) {
        try {
            return new URI(text).getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** {@code host:port}. */
    public String hostAndPort() {
        return port == NO_PORT ? host : host + ":" + port;
    }

    public Address withScheme(String other) {
        return new Address(other, login, host, port, rest);
    }

    /**
     * Returns a URI for {@link java.net.http.HttpClient}, which rejects host names that {@link URI} rejects: such a
     * name is replaced by its numeric address. A name that cannot be resolved stays a name. May query DNS.
     *
     * @param path path, with the query if there is one
     */
    public URI uri(String path) {
        URI uri = URI.create(scheme + "://" + hostAndPort() + path);
        return uri.getHost() != null
                ? uri
                : URI.create(scheme + "://" + number(host) + (port == NO_PORT ? "" : ":" + port) + path);
    }

    private static String number(String name) {
        try {
            String number = InetAddress.getByName(name).getHostAddress();
            return number.contains(":") ? "[" + number + "]" : number;
        } catch (UnknownHostException e) {
            return UNKNOWN_HOST;
        }
    }

    /** Omits the login and everything after the port. */
    @Override
    public String toString() {
        return (scheme.isEmpty() ? "" : scheme + "://") + hostAndPort();
    }
}
