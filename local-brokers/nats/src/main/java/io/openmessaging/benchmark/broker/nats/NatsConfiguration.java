package io.openmessaging.benchmark.broker.nats;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The files of NATS servers: NATS' defaults, except for addresses, paths and the user's settings. {@value #SYNC} is
 * always set explicitly, since it decides what survives a power cut.
 *
 * @param tuning entries that affect the results, in the notation of the file; a key below {@value #JETSTREAM} belongs
 *     to that block
 */
record NatsConfiguration(SortedMap<String, String> tuning) {

    private static final String JETSTREAM = "jetstream.";

    private static final String SYNC = JETSTREAM + "sync_interval";

    /** The default of NATS. */
    private static final String USUAL_SYNC = "2m";

    /** Keys that keep the server at its place, and those that would include unknown entries. */
    private static final Set<String> FIXED = Set.of(
            "listen",
            "host",
            "port",
            "net",
            "addr",
            "client_advertise",
            "http",
            "https",
            "http_port",
            "https_port",
            "monitor_port",
            "server_name",
            "cluster",
            "gateway",
            "leafnodes",
            "websocket",
            "mqtt",
            "jetstream",
            "store_dir",
            JETSTREAM + "store_dir",
            "pid_file",
            "pidfile",
            "ports_file_dir",
            "log_file",
            "logfile",
            "include",
            "tls");

    /** The addresses of one node, of ports on the same host. */
    record Ports(int client, int monitor, int cluster) {}

    /**
     * Creates the entries.
     *
     * @param settings the user's, in the notation of the server's file
     * @throws LocalBrokerException if one of them is not the user's to choose
     */
    static NatsConfiguration of(Map<String, String> settings) throws LocalBrokerException {
        BrokerLaunch.refuse("NATS", settings, FIXED::contains);
        SortedMap<String, String> tuning = new TreeMap<>(Map.of(SYNC, USUAL_SYNC));
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String key = setting.getKey();
            if (!key.matches("(jetstream\\.)?[a-z_]+") || setting.getValue().contains("\n")) {
                throw new LocalBrokerException("not an entry of a NATS server's file: " + key + ": "
                        + setting.getValue() + "; keys of the block jetstream are written as in " + SYNC);
            }
            tuning.put(key, setting.getValue());
        }
        return new NatsConfiguration(tuning);
    }

    /**
     * Returns the content of a node's file. The log goes to standard error, which is the node's log.
     *
     * @param index the index of the node
     * @param nodes the ports of all nodes
     */
    String text(String name, ListenAddress address, int index, List<Ports> nodes, Path data, Credentials credentials) {
        Ports own = nodes.get(index);
        return "server_name: " + name + "\n"
                + "listen: " + quoted(address.withPort(own.client())) + "\n"
                + (credentials.tls() ? "https: " : "http: ") + quoted(address.withPort(own.monitor())) + "\n"
                + "jetstream {\n"
                + "  store_dir: " + quoted(data.toAbsolutePath().toString()) + "\n"
                + entries(true)
                + "}\n"
                + entries(false)
                + securityText(credentials)
                + (nodes.size() > 1 ? clusterText(address, index, nodes, credentials) : "");
    }

    private String entries(boolean ofJetStream) {
        return tuning.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(JETSTREAM) == ofJetStream)
                .map(entry -> (ofJetStream ? "  " + entry.getKey().substring(JETSTREAM.length()) : entry.getKey())
                        + ": " + value(entry.getKey(), entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /** Without quotes, the server takes {@code 2m} for two million. */
    private static String value(String key, String value) {
        return key.equals(SYNC) && !value.startsWith("\"") ? quoted(value) : value;
    }

    /** Returns the block that connects a node with the others. */
    private static String clusterText(ListenAddress address, int index, List<Ports> nodes, Credentials credentials) {
        String login = credentials.login() ? Credentials.USER + ":" + credentials.password() + "@" : "";
        String routes = nodes.stream()
                .map(node -> quoted("nats://" + login + address.withPort(node.cluster())))
                .collect(Collectors.joining(", "));
        return "cluster {\n"
                + "  name: benchmark\n"
                + "  listen: " + quoted(address.withPort(nodes.get(index).cluster())) + "\n"
                + "  routes: [" + routes + "]\n"
                + securityText(credentials).indent(2)
                + "}\n";
    }

    private static String securityText(Credentials credentials) {
        String tls = !credentials.tls()
                ? ""
                : "tls {\n"
                        + "  cert_file: "
                        + quoted(credentials.brokerCertificate().toString()) + "\n"
                        + "  key_file: " + quoted(credentials.brokerKey().toString()) + "\n"
                        + "  ca_file: "
                        + quoted(credentials.trustedCertificates().toString()) + "\n"
                        + "}\n";
        String user = Credentials.USER + ", password: " + quoted(credentials.password());
        return tls + (credentials.login() ? "authorization { user: " + user + " }\n" : "");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
