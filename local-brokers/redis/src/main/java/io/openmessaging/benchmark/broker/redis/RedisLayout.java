package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The roles of the servers: masters, their replicas, and sentinels. A single master has no slots; three or more masters
 * are a cluster. The first servers are the masters.
 *
 * @param nodes the number of servers
 * @param replicas the number of replicas of each master
 * @param sentinels the number of processes that detect the loss of a master and promote its replica; a cluster does
 *     that itself
 */
record RedisLayout(int nodes, int replicas, int sentinels) {

    /** A setting that is not an entry of {@code redis.conf}. */
    static final String REPLICAS = "replicas";

    static final String SENTINELS = "sentinels";

    /** Higher numbers are useless on one machine. */
    private static final int MOST = 9;

    /**
     * Creates the layout that the user wants.
     *
     * @throws LocalBrokerException if there is no such layout
     */
    static RedisLayout of(String product, int nodes, Map<String, String> settings) throws LocalBrokerException {
        int replicas = number(REPLICAS, settings);
        int sentinels = number(SENTINELS, settings);
        String local = "a local " + product + " ";
        if (nodes % (replicas + 1) != 0) {
            throw new LocalBrokerException(local + "has the same number of replicas for each master: with replicas: "
                    + replicas + ", nodes must be a multiple of " + (replicas + 1) + ", got " + nodes);
        }
        RedisLayout layout = new RedisLayout(nodes, replicas, sentinels);
        if (layout.masters() == 2) {
            throw new LocalBrokerException(local + "has one master, or three or more as a cluster: nodes must not be "
                    + nodes
                    + (nodes == 2 ? ", unless the settings have replicas: 1, for a primary and its replica" : ""));
        }
        if (sentinels > 0 && (replicas == 0 || layout.isCluster())) {
            throw new LocalBrokerException(local
                    + "has sentinels only for one master with replicas, such as nodes: 2 and replicas: 1;"
                    + " remove sentinels");
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

    /** Returns the remaining settings, for {@code redis.conf}. */
    Map<String, String> serverSettings(Map<String, String> settings) {
        Map<String, String> left = new TreeMap<>(settings);
        left.keySet().removeAll(Set.of(REPLICAS, SENTINELS));
        if (replicas > 0) {
            // By default, a master waits five seconds for more replicas.
            left.putIfAbsent("repl-diskless-sync-delay", "0");
        }
        return left;
    }

    /** Returns the settings to keep with a result. */
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

    /**
     * Returns whether others continue without a server: a lost primary is replaced only if its replica can be promoted.
     */
    boolean isReplaceable(int node) {
        return nodes == 1 || isCluster() || isReplica(node) || sentinels > 0;
    }

    /** Returns the master of a replica. */
    int masterOf(int node) {
        return node % masters();
    }
}
