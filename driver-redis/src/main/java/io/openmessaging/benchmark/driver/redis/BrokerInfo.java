package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BrokerDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** Reads what a server reports about itself. */
final class BrokerInfo {

    /** Settings that determine speed and durability. */
    private static final String[] SETTINGS = {
        "appendonly",
        "appendfsync",
        "no-appendfsync-on-rewrite",
        "save",
        "maxmemory",
        "maxmemory-policy",
        "io-threads",
        "client-output-buffer-limit"
    };

    /** Systems that speak Redis' protocol report a Redis version for the sake of clients, and their own next to it. */
    private static final Map<String, String> PRODUCTS_BY_VERSION_KEY =
            Map.of("valkey_version", "Valkey", "dragonfly_version", "Dragonfly", "kvrocks_version", "Apache Kvrocks");

    /** The setting with a master's number of replicas, if it has any; the fewest if there are several masters. */
    static final String REPLICAS = "replicas";

    /** The setting with the largest number of replicas of a master, if another master has fewer. */
    static final String MOST_REPLICAS = "most replicas";

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
     * Describes the broker by asking the masters; the nodes are known already.
     *
     * @param replicas number of replicas of each master
     */
    static BrokerDescription ask(List<Jedis> masters, List<String> nodes, IntSummaryStatistics replicas) {
        Map<String, String> info = parse(masters.get(0).info("server"));
        Identity identity = identity(info);
        Map<String, String> settings = new TreeMap<>(settings(masters));
        String mode = info.get("redis_mode");
        if (mode != null) {
            settings.put("mode", mode);
        }
        if (replicas.getMin() > 0) {
            settings.put(REPLICAS, Integer.toString(replicas.getMin()));
        }
        if (replicas.getMax() > replicas.getMin()) {
            settings.put(MOST_REPLICAS, Integer.toString(replicas.getMax()));
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
    private static Map<String, String> settings(List<Jedis> masters) {
        List<Map<String, String>> all = new ArrayList<>();
        try {
            for (Jedis master : masters) {
                Map<String, String> settings = new HashMap<>();
                for (String name : SETTINGS) {
                    settings.putAll(master.configGet(name));
                }
                all.add(settings);
            }
        } catch (JedisDataException e) {
            return Map.of();
        }
        return together(all);
    }

    /** Returns the settings that all servers report; where they differ, all values, separated by commas. */
    static Map<String, String> together(List<Map<String, String>> servers) {
        Map<String, Set<String>> values = new TreeMap<>();
        servers.forEach(settings -> settings.forEach((name, value) ->
                values.computeIfAbsent(name, first -> new TreeSet<>()).add(value)));
        Map<String, String> together = new TreeMap<>();
        values.forEach((name, different) -> together.put(name, String.join(", ", different)));
        servers.forEach(settings -> together.keySet().retainAll(settings.keySet()));
        return together;
    }
}
