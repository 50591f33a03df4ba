package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The entries of {@code redis.conf}: Redis' defaults but for the place, what decides about persistence, which is always
 * named, and what the user has set.
 *
 * @param tuning what decides about the numbers: persistence, and all that the user has set
 */
record RedisConfiguration(SortedMap<String, String> tuning) {

    /** What keeps the server where it belongs, or would bring in entries that nobody has seen. */
    private static final Set<String> FIXED = Set.of(
            "bind",
            "port",
            "daemonize",
            "supervised",
            "dir",
            "logfile",
            "pidfile",
            "cluster-enabled",
            "cluster-port",
            "replicaof",
            "slaveof",
            "include");

    /** By this name sentinels know the primary, as in the examples of Redis. */
    private static final String PRIMARY = "mymaster";

    private static final int DOWN_AFTER_MS = 2000;

    /** Also how long sentinels wait before they try again. */
    private static final int FAILOVER_TIMEOUT_MS = 10_000;

    /**
     * Nothing is written to disk unless the user wants it.
     *
     * @param settings the user's, in the words of {@code redis.conf}
     * @throws LocalBrokerException if one of them is not the user's to choose
     */
    static RedisConfiguration of(Map<String, String> settings) throws LocalBrokerException {
        SortedMap<String, String> tuning =
                new TreeMap<>(Map.of("save", "", "appendonly", "no", "appendfsync", "everysec"));
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            // Redis does not care about case; without this, ours would be there beside the user's.
            String key = setting.getKey().toLowerCase(Locale.ROOT);
            BrokerLaunch.refuse("Redis", Map.of(key, ""), FIXED::contains);
            if (!key.matches("[a-z][a-z0-9-]*") || setting.getValue().contains("\n")) {
                throw new LocalBrokerException(
                        "not an entry of redis.conf: " + setting.getKey() + " " + setting.getValue());
            }
            tuning.put(key, setting.getValue());
        }
        return new RedisConfiguration(tuning);
    }

    /** The file. The log goes to standard output, which is the node's log. */
    String text(ListenAddress address, int port, Path folder) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("bind", address.host());
        entries.put("port", Integer.toString(port));
        entries.put("daemonize", "no");
        entries.put("dir", quoted(folder));
        entries.put("pidfile", quoted(folder.resolve("redis.pid")));
        entries.put("logfile", "");
        if (!address.isLoopback()) {
            // Else Redis turns away whoever does not come from loopback, as long as it has no password.
            entries.put("protected-mode", "no");
        }
        entries.putAll(tuning);
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + " " + (entry.getValue().isEmpty() ? "\"\"" : entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /** What follows for a server that speaks TLS, and nothing else then, to other servers as well, or that only one user may use. */
    static String securityText(Security security, Credentials credentials, int port) {
        String text = "";
        if (security.tls()) {
            text += "port 0\ntls-port " + port + "\n"
                    + "tls-cert-file " + quoted(credentials.brokerCertificate()) + "\n"
                    + "tls-key-file " + quoted(credentials.brokerKey()) + "\n"
                    + "tls-ca-cert-file " + quoted(credentials.trustedCertificates()) + "\n"
                    + "tls-auth-clients optional\ntls-replication yes\ntls-cluster yes\n";
        }
        if (security.login()) {
            text += "user " + Credentials.USER + " on >" + credentials.password() + " ~* &* +@all\nuser default off\n"
                    // As whom a replica comes to its master.
                    + "masteruser " + Credentials.USER + "\nmasterauth " + credentials.password() + "\n";
        }
        return text;
    }

    /** What follows for a node of a cluster. */
    static String clusterText(int busPort) {
        return "cluster-enabled yes\ncluster-port " + busPort + "\n";
    }

    /** What follows for a copy of another server that is in no cluster. */
    static String replicaText(ListenAddress address, int primaryPort) {
        return "replicaof " + address.host() + " " + primaryPort + "\n";
    }

    /**
     * The whole file of a sentinel, which writes into it what it finds out. A primary counts as gone after {@value
     * #DOWN_AFTER_MS} ms.
     *
     * @param sentinels how many there are
     */
    String sentinelText(ListenAddress address, int port, Path folder, int primaryPort, int sentinels) {
        String password = tuning.getOrDefault("requirepass", "");
        return "bind " + address.host() + "\nport " + port + "\ndaemonize no\nlogfile \"\"\nprotected-mode no\n"
                + "dir " + quoted(folder) + "\npidfile " + quoted(folder.resolve("sentinel.pid")) + "\n"
                + "sentinel monitor " + PRIMARY + " " + address.host() + " " + primaryPort + " " + (sentinels / 2 + 1)
                + "\n"
                + "sentinel down-after-milliseconds " + PRIMARY + " " + DOWN_AFTER_MS + "\n"
                + "sentinel failover-timeout " + PRIMARY + " " + FAILOVER_TIMEOUT_MS + "\n"
                + (password.isEmpty() ? "" : "sentinel auth-pass " + PRIMARY + " " + password + "\n");
    }

    private static String quoted(Path path) {
        return '"' + path.toAbsolutePath().toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
