package io.openmessaging.benchmark.driver.artemis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a broker is, as Artemis writes it: {@code tcp://host:port}, with parameters behind a question mark, or several
 * in parentheses, {@code (tcp://a:61616,tcp://b:61616)?…}.
 *
 * @param connectors each {@code host:port} with its parameters, if any
 * @param parameters what stands behind the parentheses, with the question mark; empty for none
 */
record BrokerAddress(List<String> connectors, String parameters) {

    private static final String SCHEME = "tcp://";

    private static final Pattern SEVERAL = Pattern.compile("\\((.*)\\)(\\?.*)?");

    private static final Pattern CONNECTOR =
            Pattern.compile("(?:tcp://)?((?:\\[[0-9a-fA-F:.]+]|[^\\s:/?#,()\\[\\]]+):(\\d{1,5}))(\\?\\S*)?");

    private static final int HIGHEST_PORT = 65_535;

    BrokerAddress {
        connectors = List.copyOf(connectors);
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static BrokerAddress parse(String text) {
        Matcher several = SEVERAL.matcher(text.strip());
        String list = several.matches() ? several.group(1) : text.strip();
        String parameters = several.matches() && several.group(2) != null ? several.group(2) : "";
        List<String> connectors = new ArrayList<>();
        for (String connector : list.split(",", -1)) {
            Matcher matcher = CONNECTOR.matcher(connector.strip());
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > HIGHEST_PORT) {
                throw new IllegalArgumentException("not an address: '" + connector.strip() + "'");
            }
            connectors.add(matcher.group(1) + (matcher.group(3) == null ? "" : matcher.group(3)));
        }
        return new BrokerAddress(connectors, parameters);
    }

    /** Each {@code host:port}. */
    List<String> hostsAndPorts() {
        return connectors.stream().map(BrokerAddress::hostAndPort).toList();
    }

    private static String hostAndPort(String connector) {
        return connector.replaceFirst("\\?.*", "");
    }

    /** The same parameters with other hosts and ports; further ones have the parameters of the last. */
    BrokerAddress with(List<String> hostsAndPorts) {
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < hostsAndPorts.size(); i++) {
            String model = connectors.get(Math.min(i, connectors.size() - 1));
            changed.add(
                    hostsAndPorts.get(i) + model.substring(hostAndPort(model).length()));
        }
        return new BrokerAddress(changed, parameters);
    }

    /** The text that {@link #parse} reads. */
    String text() {
        Stream<String> addresses = connectors.stream().map(connector -> SCHEME + connector);
        return connectors.size() == 1 && parameters.isEmpty()
                ? SCHEME + connectors.get(0)
                : addresses.collect(Collectors.joining(",", "(", ")")) + parameters;
    }
}
