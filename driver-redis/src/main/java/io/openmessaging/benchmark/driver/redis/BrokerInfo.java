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

/** What a server says of itself. */
final class BrokerInfo {

    /** What decides about speed and durability. */
    private static final String[] SETTINGS = {
        "appendonly", "appendfsync", "save", "maxmemory", "maxmemory-policy", "io-threads", "client-output-buffer-limit"
    };

    /** Systems that speak Redis' protocol tell a version of Redis for the sake of clients, and their own beside it. */
    private static final Map<String, String> PRODUCTS_BY_VERSION_KEY =
            Map.of("valkey_version", "Valkey", "dragonfly_version", "Dragonfly", "kvrocks_version", "Apache Kvrocks");

    /** The setting that tells how many replicas a master has, if there are some; of several masters the fewest. */
    static final String REPLICAS = "replicas";

    private static final Pattern REPLICA = Pattern.compile("ip=([^,]+),port=(\\d+),.*");

    private BrokerInfo() {}

    /** {@code host:port} of the replicas that a master feeds. */
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
     * Asks one server; the nodes are known already.
     *
     * @param replicas how many a master has
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

    /** What runs there. */
    record Identity(String product, String version) {}

    /** Claims nothing that the server has not said. */
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

    /** The lines {@code key:value} of {@code INFO}. */
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

    /** Empty where users may not ask, as with most hosted services. */
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
