package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BrokerDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** Reads what a server reports about itself. */
final class BrokerInfo {

    /** Settings that determine speed and durability. */
    private static final String[] SETTINGS = {
        "appendonly", "appendfsync", "save", "maxmemory", "maxmemory-policy", "io-threads", "client-output-buffer-limit"
    };

    /** Systems that speak Redis' protocol report a Redis version for the sake of clients, and their own next to it. */
    private static final Map<String, String> PRODUCTS_BY_VERSION_KEY =
            Map.of("valkey_version", "Valkey", "dragonfly_version", "Dragonfly", "kvrocks_version", "Apache Kvrocks");

    /** The setting with a master's number of replicas, if it has any; the fewest if there are several masters. */
    static final String REPLICAS = "replicas";

    private static final Pattern REPLICA = Pattern.compile("ip=([^,]+),port=(\\d+),.*");

    private BrokerInfo() {}

    /** Returns {@code host:port} of the replicas of a master. */
    static List<String> replicas(Jedis master) {
        List<String> replicas = new ArrayList<>();
        for (Map.Entry<String, String> line : new TreeMap<>(parse(master.info("replication"))).entrySet()) {
            Matcher replica = REPLICA.matcher(line.getValue());
            if (line.getKey().startsWith("slave") && replica.matches()) {
                replicas.add(replica.group(1) + ":" + replica.group(2));
            }
        }
        return replicas;
    }

    /**
     * Describes the broker by asking one server; the nodes are known already.
     *
     * @param replicas number of replicas of a master
     */
    static BrokerDescription ask(Jedis jedis, List<String> nodes, int replicas) {
        Map<String, String> info = parse(jedis.info("server"));
        Identity identity = identity(info);
        Map<String, String> settings = new TreeMap<>(settings(jedis));
        String mode = info.get("redis_mode");
        if (mode != null) {
            settings.put("mode", mode);
        }
        if (replicas > 0) {
            settings.put(REPLICAS, Integer.toString(replicas));
        }
        return new BrokerDescription(identity.product(), identity.version(), nodes, settings);
    }

    /** Product and version of a server. */
    record Identity(String product, String version) {}

    /** Returns product and version; "unknown" for what the server does not report. */
    static Identity identity(Map<String, String> info) {
        for (Map.Entry<String, String> other : PRODUCTS_BY_VERSION_KEY.entrySet()) {
            String version = info.get(other.getKey());
            if (version != null) {
                return new Identity(other.getValue(), version);
            }
        }
        String version = info.get("redis_version");
        return version == null ? new Identity("unknown, Redis protocol", "unknown") : new Identity("Redis", version);
    }

    /** Parses the lines {@code key:value} of {@code INFO}. */
    static Map<String, String> parse(String info) {
        Map<String, String> values = new HashMap<>();
        info.lines().map(String::strip).filter(line -> !line.startsWith("#")).forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return values;
    }

    /** Returns the settings; empty if the user may not read them, as with most hosted services. */
    private static Map<String, String> settings(Jedis jedis) {
        Map<String, String> settings = new HashMap<>();
        try {
            for (String name : SETTINGS) {
                settings.putAll(jedis.configGet(name));
            }
        } catch (JedisDataException e) {
            return Map.of();
        }
        return settings;
    }
}
