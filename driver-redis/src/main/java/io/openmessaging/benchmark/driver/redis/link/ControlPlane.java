package io.openmessaging.benchmark.driver.redis.link;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Connections for commands that are answered one by one, to each node that is asked something. */
public final class ControlPlane implements AutoCloseable {

    private final Links links;
    private final Duration timeout;
    private final Topology topology;

    private final ReentrantLock inTurn = new ReentrantLock();

    /** Used within control calls, of which there is one at a time. */
    private final Map<HostAndPort, Jedis> connections = new HashMap<>();

    private ControlPlane(Links links, Duration timeout, Topology topology) {
        this.links = links;
        this.timeout = timeout;
        this.topology = topology;
    }

    /**
     * Connects to a node and, with a cluster, learns of the others.
     *
     * @param addresses {@code host:port} of nodes, tried one after the other until one answers
     * @param cluster whether they are nodes of a Redis Cluster
     * @param timeout the limit for this and for each later call
     */
    public static ControlPlane open(
            List<String> addresses, boolean cluster, JedisClientConfig clientConfig, Duration timeout)
            throws DriverException, InterruptedException {
        List<HostAndPort> nodes = addresses.stream().map(HostAndPort::from).toList();
        Links links = new Links(clientConfig);
        try {
            Topology topology = CALLS.run(
                    "reach Redis at " + String.join(",", addresses),
                    Deadline.in(timeout),
                    () -> topology(nodes, cluster, links),
                    late -> {},
                    links::close);
            return new ControlPlane(links, timeout, topology);
        } finally {
            // The connection that was asked is not needed further on.
            links.breakOff();
        }
    }

    private static Topology topology(List<HostAndPort> nodes, boolean cluster, Links links) {
        JedisException failure = null;
        for (HostAndPort node : nodes) {
            try (Jedis jedis = links.jedis(node)) {
                // A server that wants a password tells so with the first command only.
                jedis.ping();
                return cluster
                        ? Topology.cluster((List<?>) jedis.sendCommand(Command.CLUSTER, "SLOTS"), node)
                        : Topology.single(node);
            } catch (JedisException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        throw failure == null ? new JedisException("there is no address") : failure;
    }

    /** Which node has which key. */
    public Topology topology() {
        return topology;
    }

    /** Calls a task that uses {@link #jedis}, with the limit of a control call; tasks of several threads in turn. */
    public <T> T call(String attempt, Callable<T> task) throws DriverException, InterruptedException {
        inTurn.lockInterruptibly();
        try {
            return CALLS.run(attempt, Deadline.in(timeout), task, late -> {}, this::breakOff);
        } finally {
            inTurn.unlock();
        }
    }

    /** The same for a task without a result. */
    public void run(String attempt, Runnable task) throws DriverException, InterruptedException {
        call(attempt, Executors.callable(task));
    }

    /** The connection to a node, opened if there is none or if it was closed, as servers do with idle ones. */
    public Jedis jedis(HostAndPort node) {
        Jedis connected = connections.get(node);
        if (connected == null || !answers(connected)) {
            connected = links.jedis(node);
            connections.put(node, connected);
        }
        return connected;
    }

    private static boolean answers(Jedis jedis) {
        try {
            return jedis.isConnected() && !jedis.isBroken() && jedis.ping() != null;
        } catch (JedisConnectionException e) {
            return false;
        }
    }

    /** The connection to the node that has a key. */
    public Jedis jedisOf(String key) {
        return jedis(topology.nodeOf(key));
    }

    /** Makes the call that is under way fail; later ones connect again. */
    public void breakOff() {
        links.breakOff();
    }

    @Override
    public void close() {
        links.close();
    }
}
