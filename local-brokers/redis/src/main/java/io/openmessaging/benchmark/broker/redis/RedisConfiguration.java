package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
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
 * The entries of {@code redis.conf}: Redis' defaults, except for addresses and paths, for persistence, which is always
 * set explicitly, and for the user's settings.
 *
 * @param tuning entries that affect the results: persistence, and all user settings
 */
record RedisConfiguration(SortedMap<String, String> tuning) {

    /** Keys that keep the server at its place, or that would include unknown entries. */
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

    /** The name by which sentinels know the primary, as in the examples of Redis. */
    private static final String PRIMARY = "mymaster";

    private static final int DOWN_AFTER_MS = 2000;

    /** Also the time that sentinels wait before they try again. */
    private static final int FAILOVER_TIMEOUT_MS = 10_000;

    /**
     * Creates the entries. Nothing is written to disk unless the user wants it.
     *
     * @param settings the user's, in the notation of {@code redis.conf}
     * @throws LocalBrokerException if one of them is not the user's to choose
     */
    static RedisConfiguration of(Map<String, String> settings) throws LocalBrokerException {
        SortedMap<String, String> tuning =
                new TreeMap<>(Map.of("save", "", "appendonly", "no", "appendfsync", "everysec"));
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            // Redis ignores case; otherwise, our entry would remain beside the user's.
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

    /** Returns the content of the file. The log goes to standard output, which is the node's log. */
    String text(ListenAddress address, int port, Path folder) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("bind", address.host());
        entries.put("port", Integer.toString(port));
        entries.put("daemonize", "no");
        entries.put("dir", quoted(folder));
        entries.put("pidfile", quoted(folder.resolve("redis.pid")));
        entries.put("logfile", "");
        if (!address.isLoopback()) {
            // Otherwise, Redis refuses clients that do not connect from loopback, as long as it has no password.
            entries.put("protected-mode", "no");
        }
        entries.putAll(tuning);
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + " " + (entry.getValue().isEmpty() ? "\"\"" : entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Returns the additional lines for security. With TLS, it accepts TLS only, also from other servers;
     * with a login, only one user may use it.
     */
    static String securityText(Credentials credentials, int port) {
        String text = "";
        if (credentials.tls()) {
            text += "port 0\ntls-port " + port + "\n"
                    + "tls-cert-file " + quoted(credentials.brokerCertificate()) + "\n"
                    + "tls-key-file " + quoted(credentials.brokerKey()) + "\n"
                    + "tls-ca-cert-file " + quoted(credentials.trustedCertificates()) + "\n"
                    + "tls-auth-clients optional\ntls-replication yes\ntls-cluster yes\n";
        }
        if (credentials.login()) {
            text += "user " + Credentials.USER + " on >" + credentials.password() + " ~* &* +@all\nuser default off\n"
                    // The user as which a replica logs in to its master.
                    + "masteruser " + Credentials.USER + "\nmasterauth " + credentials.password() + "\n";
        }
        return text;
    }

    /** Returns the additional lines for a node of a cluster. */
    static String clusterText(int busPort) {
        return "cluster-enabled yes\ncluster-port " + busPort + "\n";
    }

    /** Returns the additional line for a replica of another server outside of a cluster. */
    static String replicaText(ListenAddress address, int primaryPort) {
        return "replicaof " + address.host() + " " + primaryPort + "\n";
    }

    /**
     * Returns the whole file of a sentinel, which writes its findings into it. A primary counts as down after {@value
     * #DOWN_AFTER_MS} ms.
     *
     * @param sentinels the number of sentinels
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
