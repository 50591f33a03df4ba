package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The entries of {@code rabbitmq.conf}: RabbitMQ's defaults, except for addresses, the limits of memory and disk, and
 * the user's settings.
 *
 * @param tuning entries that affect the results: the limits, and all user settings
 * @param security entries for TLS and a login
 */
record RabbitMqConfiguration(
        SortedMap<String, String> tuning, RabbitMqClusterLayout layout, boolean tls, Map<String, String> security) {

    private static final String MEMORY_LIMIT = "vm_memory_high_watermark";

    private static final String DISK_LIMIT = "disk_free_limit";

    private static final String LOOPBACK_USERS = "loopback_users";

    private static final String OAUTH = "auth_oauth2.";

    /**
     * RabbitMQ's default for the share of the machine's memory above which it stops publishers; here for all nodes
     * together.
     */
    private static final double MEMORY_SHARE = 0.4;

    /**
     * Free disk space below which RabbitMQ stops publishers. Its default of 50 MB is used up in a moment under load,
     * and a full disk affects more than the broker.
     */
    private static final String DISK_FREE_MIN = "500MB";

    /** Key prefixes of entries that make the nodes one cluster on this machine, with a log that the launcher finds. */
    private static final List<String> FIXED = List.of(
            "listeners.",
            "stream.listeners.",
            "stream.advertised_",
            "prometheus.tcp.",
            "prometheus.ssl.",
            "cluster_formation.",
            "log.file",
            "log.console",
            "log.dir");

    /**
     * Combines our entries with the user's.
     *
     * @param settings the user's, in the notation of {@code rabbitmq.conf}
     */
    static RabbitMqConfiguration of(Map<String, String> settings, RabbitMqClusterLayout layout) {
        SortedMap<String, String> all = new TreeMap<>(settings);
        // Both limits have several alternative keys, of which only one may be set.
        if (settings.keySet().stream().noneMatch(key -> key.startsWith(MEMORY_LIMIT))) {
            double share = MEMORY_SHARE / layout.nodes().size();
            all.put(MEMORY_LIMIT + ".relative", String.format(Locale.ROOT, "%.2f", share));
        }
        if (settings.keySet().stream().noneMatch(key -> key.startsWith(DISK_LIMIT))) {
            all.put(DISK_LIMIT + ".absolute", DISK_FREE_MIN);
        }
        // By default, guest, the only user, may connect from loopback only.
        if (!layout.address().isLoopback()
                && settings.keySet().stream().noneMatch(key -> key.startsWith(LOOPBACK_USERS))) {
            all.put(LOOPBACK_USERS, "none");
        }
        return new RabbitMqConfiguration(all, layout, false, Map.of());
    }

    /** Returns the same configuration for a broker with these credentials. */
    RabbitMqConfiguration with(Credentials credentials) {
        Map<String, String> entries = new LinkedHashMap<>();
        if (credentials.tls()) {
            entries.put(
                    "ssl_options.cacertfile", credentials.trustedCertificates().toString());
            entries.put("ssl_options.certfile", credentials.brokerCertificate().toString());
            entries.put("ssl_options.keyfile", credentials.brokerKey().toString());
            entries.put("ssl_options.verify", "verify_peer");
            entries.put("ssl_options.fail_if_no_peer_cert", "false");
        }
        if (credentials.tls() && credentials.login()) {
            entries.put("auth_mechanisms.1", "PLAIN");
            entries.put("auth_mechanisms.2", "EXTERNAL");
            entries.put("ssl_cert_login_from", "common_name");
        }
        if (credentials.login()) {
            entries.put("default_user", Credentials.USER);
            entries.put("default_pass", credentials.password());
        }
        return new RabbitMqConfiguration(tuning, layout, credentials.tls(), entries);
    }

    /** Refuses settings that are not the user's to choose. */
    static void check(Map<String, String> settings) throws LocalBrokerException {
        BrokerLaunch.refuse("RabbitMQ", settings, key -> FIXED.stream().anyMatch(key::startsWith));
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            if (!setting.getKey().matches("[\\w.$-]+") || setting.getValue().contains("\n")) {
                throw new LocalBrokerException(
                        "not an entry of rabbitmq.conf: " + setting.getKey() + " = " + setting.getValue());
            }
        }
    }

    /** Returns the plugins of a node; one more for logins with certificates, another one for logins with tokens. */
    List<String> plugins() {
        List<String> plugins = new ArrayList<>(List.of("rabbitmq_stream", "rabbitmq_prometheus"));
        if (security.containsKey("ssl_cert_login_from")) {
            plugins.add("rabbitmq_auth_mechanism_ssl");
        }
        if (tuning.keySet().stream().anyMatch(key -> key.startsWith(OAUTH))) {
            plugins.add("rabbitmq_auth_backend_oauth2");
        }
        return plugins;
    }

    /** Returns the content of a node's file. */
    String text(int id) {
        RabbitMqClusterLayout.NodePorts ports = layout.ports(id);
        Map<String, String> entries = new LinkedHashMap<>();
        String transport = tls ? "ssl" : "tcp";
        if (tls) {
            entries.put("listeners.tcp", "none");
            entries.put("stream.listeners.tcp", "none");
        }
        entries.put("listeners." + transport + ".local", layout.address().withPort(ports.amqp()));
        entries.put("stream.listeners." + transport + ".local", layout.address().withPort(ports.stream()));
        entries.put("stream.advertised_host", layout.address().host());
        entries.put("stream.advertised_" + (tls ? "tls_" : "") + "port", Integer.toString(ports.stream()));
        entries.putAll(security);
        entries.put("prometheus.tcp.ip", ListenAddress.LOOPBACK.host());
        entries.put("prometheus.tcp.port", Integer.toString(ports.prometheus()));
        entries.put("log.console", "true");
        entries.put("log.console.use_colors", "off");
        entries.put("log.file", "false");
        // The first node creates the cluster, the others join it.
        if (id > 1) {
            entries.put("cluster_formation.peer_discovery_backend", "classic_config");
            layout.ids()
                    .forEach(peer -> entries.put(
                            "cluster_formation.classic_config.nodes." + peer, RabbitMqClusterLayout.nodeName(peer)));
        }
        entries.putAll(tuning);
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + " = " + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
