package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.launch.Credentials;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The listener of a node for clients and other nodes: plain, with TLS, with a login, or with both.
 */
record ClientListener(Credentials credentials) {

    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required";
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required";

    String protocol() {
        return (credentials.login() ? "SASL_" : "") + (credentials.tls() ? "SSL" : "PLAINTEXT");
    }

    /**
     * Returns the security properties of the broker. Clients may log in by PLAIN or SCRAM, and may show a certificate;
     * nodes log in by PLAIN.
     */
    Map<String, String> brokerProperties() {
        Map<String, String> properties = new TreeMap<>();
        if (!credentials.security().any()) {
            return properties;
        }
        properties.put("security.inter.broker.protocol", protocol());
        properties.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT," + protocol() + ":" + protocol());
        if (credentials.tls()) {
            properties.put("ssl.keystore.location", credentials.brokerStore().toString());
            properties.put("ssl.keystore.password", credentials.password());
            properties.put("ssl.truststore.location", credentials.trustStore().toString());
            properties.put("ssl.truststore.password", credentials.password());
            properties.put("ssl.client.auth", "requested");
        }
        if (credentials.login()) {
            String user = user(credentials.password());
            String listener = "listener.name." + protocol().toLowerCase(Locale.ROOT);
            properties.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
            properties.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
            properties.put(
                    listener + ".plain.sasl.jaas.config",
                    PLAIN + user + " user_" + Credentials.USER + "=\"" + credentials.password() + "\";");
            properties.put(listener + ".scram-sha-512.sasl.jaas.config", SCRAM + ";");
        }
        return properties;
    }

    /** Returns the argument from which Kafka's storage tool creates a user; empty without a login. */
    String scram() {
        return credentials.login()
                ? "SCRAM-SHA-512=[name=" + Credentials.USER + ",password=" + credentials.password() + "]"
                : "";
    }

    /** Returns the properties of a client, with the password itself. */
    Map<String, String> clientProperties(List<String> addresses) {
        return clientProperties(addresses, credentials.password());
    }

    /** Returns the properties of a node's own client, which shows the node's certificate in case one is requested. */
    Map<String, String> nodeClientProperties(String address) {
        Map<String, String> properties = clientProperties(List.of(address));
        if (credentials.tls()) {
            properties.put("ssl.keystore.location", credentials.brokerStore().toString());
            properties.put("ssl.keystore.password", credentials.password());
        }
        return properties;
    }

    private Map<String, String> clientProperties(List<String> addresses, String password) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("bootstrap.servers", String.join(",", addresses));
        properties.put("security.protocol", protocol());
        if (credentials.tls()) {
            properties.put("ssl.truststore.location", credentials.trustStore().toString());
            properties.put("ssl.truststore.password", password);
        }
        if (credentials.login()) {
            properties.put("sasl.mechanism", "SCRAM-SHA-512");
            properties.put("sasl.jaas.config", SCRAM + user(password) + ";");
        }
        return properties;
    }

    private static String user(String password) {
        return " username=\"" + Credentials.USER + "\" password=\"" + password + "\"";
    }

    /** Returns the driver file, see {@link io.openmessaging.benchmark.broker.RunningBroker#driverFile}. */
    String driverFile(List<String> addresses) {
        return """
                name: Kafka, secured
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                replicationFactor: %d
                commonConfig: |
                """.formatted(Math.min(3, addresses.size()))
                + clientProperties(addresses, credentials.passwordReference()).entrySet().stream()
                        .map(entry -> "  " + entry.getKey() + "=" + entry.getValue() + "\n")
                        .collect(Collectors.joining());
    }
}
