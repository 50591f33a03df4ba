package io.openmessaging.benchmark.driver.artemis.address;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Address.Port;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/**
 * Address of a broker in Artemis' form: {@code tcp://host:port}, with parameters after a question mark, or several in
 * parentheses, {@code (tcp://a:61616,tcp://b:61616)?…}.
 *
 * @param connectors each {@code host:port} with its parameters, if any
 * @param parameters text after the parentheses, including the question mark; empty for none
 */
public record BrokerAddress(List<String> connectors, String parameters) {

    private static final String SCHEME = "tcp://";

    private static final Pattern SEVERAL = Pattern.compile("\\((.*)\\)(\\?.*)?");

    private static final Address.Form CONNECTOR = new Address.Form(
            "tcp://host:port, several with commas in parentheses", List.of("tcp"), Port.REQUIRED, false, false);

    public BrokerAddress {
        connectors = List.copyOf(connectors);
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException with a rule for the user if it has another form
     */
    public static BrokerAddress parse(String text) {
        Matcher several = SEVERAL.matcher(text.strip());
        String list = several.matches() ? several.group(1) : text.strip();
        String parameters = several.matches() && several.group(2) != null ? several.group(2) : "";
        List<String> connectors = new ArrayList<>();
        for (String connector : list.split(",", -1)) {
            String[] parts = connector.strip().split("(?=\\?)", 2);
            Address read = Address.parse(parts[0].contains("://") ? parts[0] : SCHEME + parts[0], CONNECTOR);
            connectors.add(read.hostAndPort() + (parts.length > 1 ? parts[1] : ""));
        }
        return new BrokerAddress(connectors, parameters);
    }

    /** Each {@code host:port}. */
    public List<String> hostsAndPorts() {
        return connectors.stream().map(BrokerAddress::hostAndPort).toList();
    }

    private static String hostAndPort(String connector) {
        return connector.replaceFirst("\\?.*", "");
    }

    /**
     * Returns this address for a client that fails over to the backup of a lost broker, if it names several brokers.
     */
    public BrokerAddress failingOver() {
        return connectors.size() == 1 || parameters.contains("ha=")
                ? this
                : new BrokerAddress(connectors, parameters.isEmpty() ? "?ha=true" : parameters + "&ha=true");
    }

    /** The socket address of {@code host:port}; the host may be unresolved. */
    public static InetSocketAddress socketAddress(String hostAndPort) {
        Address address = Address.parse(hostAndPort, Address.HOST_AND_PORT);
        return new InetSocketAddress(address.host().replaceAll("[\\[\\]]", ""), address.port());
    }

    /** The {@code host:port} that matches the client's own form of an address; empty for none. */
    public Optional<String> named(TransportConfiguration broker) {
        Map<String, Object> parameters = broker.getCombinedParams();
        InetSocketAddress target = new InetSocketAddress(
                String.valueOf(parameters.get(TransportConstants.HOST_PROP_NAME)),
                Integer.parseInt(String.valueOf(parameters.get(TransportConstants.PORT_PROP_NAME))));
        return hostsAndPorts().stream()
                .filter(address -> socketAddress(address).equals(target))
                .findFirst();
    }

    /**
     * Returns an address with the same parameters and other hosts and ports; additional ones get the parameters of the
     * last.
     */
    public BrokerAddress with(List<String> hostsAndPorts) {
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < hostsAndPorts.size(); i++) {
            String model = connectors.get(Math.min(i, connectors.size() - 1));
            changed.add(
                    hostsAndPorts.get(i) + model.substring(hostAndPort(model).length()));
        }
        return new BrokerAddress(List.copyOf(changed), parameters);
    }

    /** The text that {@link #parse} reads. */
    public String text() {
        return connectors.size() == 1 && parameters.isEmpty()
                ? SCHEME + connectors.get(0)
                : "(" + SCHEME + String.join("," + SCHEME, connectors) + ")" + parameters;
    }
}
