package io.openmessaging.benchmark.driver.redis.link;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** Connections that send one command at a time, to each node that is queried. */
public final class ControlPlane implements AutoCloseable {

    /** The limit of other clients. */
    private static final int MOST_REDIRECTIONS = 16;

    private final Links links;
    private final Duration timeout;
    private final Directory directory;

    private final ReentrantLock inTurn = new ReentrantLock();

    /** Used within control calls, which run one at a time. */
    private final Map<HostAndPort, Jedis> connections = new HashMap<>();

    private ControlPlane(Links links, Duration timeout, Directory directory) {
        this.links = links;
        this.timeout = timeout;
        this.directory = directory;
    }

    /**
     * Connects to a server or, with a cluster or sentinels, finds the servers.
     *
     * @param clientConfig settings of connections to servers
     * @param askedConfig settings of connections to the seeds
     * @param timeout limit for this and for each later call
     */
    public static ControlPlane open(
            Directory.Seeds seeds, JedisClientConfig clientConfig, JedisClientConfig askedConfig, Duration timeout)
            throws DriverException, InterruptedException {
        Links links = new Links(clientConfig);
        Links asked = new Links(askedConfig);
        return CALLS.run(
                "reach Redis at "
                        + seeds.addresses().stream().map(HostAndPort::toString).collect(Collectors.joining(",")),
                Deadline.in(timeout),
                () -> new ControlPlane(links, timeout, new Directory(seeds, asked)),
                ControlPlane::close,
                () -> {
                    links.close();
                    asked.close();
                });
    }

    /** Returns the directory, which tracks which node has which key. */
    public Directory directory() {
        return directory;
    }

    /** Returns which node has which key now. */
    public RedisTopology topology() {
        return directory.current();
    }

    /**
     * Calls a task that uses {@link #jedis}, with the limit of a control call; tasks of several threads run one at a
     * time.
     */
    public <T> T call(String attempt, Callable<T> task) throws DriverException, InterruptedException {
        inTurn.lockInterruptibly();
        try {
            return CALLS.run(attempt, Deadline.in(timeout), task, late -> {}, this::breakOff);
        } finally {
            inTurn.unlock();
        }
    }

    /** Runs a task without a result, which must be repeatable: it runs again if its keys have moved to another node. */
    public void run(String attempt, Runnable task) throws DriverException, InterruptedException {
        call(attempt, Executors.callable(() -> follow(task)));
    }

    private void follow(Runnable task) {
        for (int left = MOST_REDIRECTIONS; ; left--) {
            RedisTopology before = topology();
            try {
                task.run();
                return;
            } catch (JedisMovedDataException e) {
                if (left == 0 || !directory.moved(e)) {
                    throw e;
                }
            } catch (JedisConnectionException e) {
                if (left == 0 || directory.refreshed() == before) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns the connection to a node, opened if there is none or if the server closed it, as servers do with idle
     * ones.
     */
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

    /** Returns the connection to the node that has a key. */
    public Jedis jedisOf(String key) {
        return jedis(topology().nodeOf(key));
    }

    /** Makes the current call fail; later ones connect again. */
    public void breakOff() {
        links.breakOff();
    }

    @Override
    public void close() {
        directory.close();
        links.close();
    }
}
