package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which of the servers are masters, which are copies of them, and what watches them. One master has no slots; three or more
 * are a cluster. The first servers are the masters.
 *
 * @param nodes how many servers there are
 * @param replicas how many of them copy each master
 * @param sentinels how many processes find out that a master is gone and promote its copy; a cluster does that itself
 */
record RedisLayout(int nodes, int replicas, int sentinels) {

    /** The settings that are no entries of {@code redis.conf}. */
    static final String REPLICAS = "replicas";

    static final String SENTINELS = "sentinels";

    /** What more is of no use on one machine. */
    private static final int MOST = 9;

    /**
     * What the user wants.
     *
     * @throws LocalBrokerException if there is no such layout
     */
    static RedisLayout of(String product, int nodes, Map<String, String> settings) throws LocalBrokerException {
        int replicas = number(REPLICAS, settings);
        int sentinels = number(SENTINELS, settings);
        String local = "a local " + product + " ";
        if (nodes % (replicas + 1) != 0) {
            throw new LocalBrokerException(local + "has as many replicas of each master: with replicas: " + replicas
                    + ", nodes must be a multiple of " + (replicas + 1) + ", got " + nodes);
        }
        RedisLayout layout = new RedisLayout(nodes, replicas, sentinels);
        if (layout.masters() == 2) {
            throw new LocalBrokerException(local + "has one master, or as a cluster three or more: nodes must not be "
                    + nodes
                    + (nodes == 2 ? ", unless the settings have replicas: 1, for a primary and its replica" : ""));
        }
        if (sentinels > 0 && (replicas == 0 || layout.isCluster())) {
            throw new LocalBrokerException(
                    local
                            + "has sentinels for one master with replicas, such as nodes: 2 and replicas: 1; leave sentinels out");
        }
        return layout;
    }

    private static int number(String key, Map<String, String> settings) throws LocalBrokerException {
        String text = settings.getOrDefault(key, "0");
        if (!text.matches("\\d") || Integer.parseInt(text) > MOST) {
            throw new LocalBrokerException(key + " must be a number from 0 to " + MOST + ", got " + text);
        }
        return Integer.parseInt(text);
    }

    /** What is left for {@code redis.conf}. */
    Map<String, String> serverSettings(Map<String, String> settings) {
        Map<String, String> left = new TreeMap<>(settings);
        left.keySet().removeAll(Set.of(REPLICAS, SENTINELS));
        if (replicas > 0) {
            // By default a master waits for five seconds whether more replicas come.
            left.putIfAbsent("repl-diskless-sync-delay", "0");
        }
        return left;
    }

    /** What a result should keep. */
    Map<String, String> told() {
        Map<String, String> told = new TreeMap<>();
        told.put("nodes", Integer.toString(nodes));
        if (replicas > 0) {
            told.put(REPLICAS, Integer.toString(replicas));
        }
        if (sentinels > 0) {
            told.put(SENTINELS, Integer.toString(sentinels));
        }
        return told;
    }

    int masters() {
        return nodes / (replicas + 1);
    }

    boolean isCluster() {
        return masters() > 1;
    }

    boolean isReplica(int node) {
        return node >= masters();
    }

    /** Whether others continue without a server: a lost primary is replaced only where somebody promotes its replica. */
    boolean isReplaceable(int node) {
        return nodes == 1 || isCluster() || isReplica(node) || sentinels > 0;
    }

    /** The master of a replica. */
    int masterOf(int node) {
        return node % masters();
    }
}
