package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
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
            "include");

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

    /** What follows for a node of a cluster. */
    static String clusterText(int busPort) {
        return "cluster-enabled yes\ncluster-port " + busPort + "\n";
    }

    private static String quoted(Path path) {
        return '"' + path.toAbsolutePath().toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
