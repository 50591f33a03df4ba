package io.openmessaging.benchmark.driver.redis.link;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Tracks which node has which key now: learns from redirections, and asks again on request. Thread-safe. */
public final class Directory {

    /** Clients lose a node at the same moment, so one of them asks for all. */
    private static final long ASK_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Seeds seeds;
    private final Links links;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile RedisTopology current;

    /** Guarded by {@link #asking}. */
    private long askedNs;

    /** The servers that know where keys are. */
    public enum Deployment {
        /** None is needed: there is one server. */
        SERVER,
        /** The nodes of a Redis Cluster. */
        CLUSTER,
        /** Sentinels, which name the only primary. */
        SENTINELS
    }

    /**
     * The configured addresses.
     *
     * @param addresses addresses of the server, of some nodes of a cluster, or of sentinels
     * @param primary name by which the sentinels know the primary
     */
    public record Seeds(Deployment kind, List<HostAndPort> addresses, String primary) {}

    /**
     * Asks for the first time; blocks.
     *
     * @param links connections to the seeds and nodes that are asked, used for nothing else
     * @throws JedisException if none of them answers
     */
    Directory(Seeds seeds, Links links) {
        this.seeds = seeds;
        this.links = links;
        this.current = ask(new LinkedHashSet<>(seeds.addresses()));
        this.askedNs = System.nanoTime();
    }

    /** Returns the current topology; a different object after a change. */
    public RedisTopology current() {
        return current;
    }

    /** Returns whether keys can move to another node. */
    public boolean follows() {
        return seeds.kind() != Deployment.SERVER;
    }

    /** Records where a cluster node says that a slot is; returns false if there is no cluster. */
    public boolean moved(JedisRedirectionException redirection) {
        if (seeds.kind() != Deployment.CLUSTER) {
            return false;
        }
        synchronized (this) {
            current = current.with(redirection.getSlot(), redirection.getTargetNode());
        }
        return true;
    }

    /**
     * Asks again after a node was lost, unless another thread does or just did. Blocks for up to the time limits of
     * all the nodes asked; the known topology stays if none of them answers.
     */
    public RedisTopology refreshed() {
        if (!follows() || !asking.tryLock()) {
            return current;
        }
        try {
            if (System.nanoTime() - askedNs > ASK_PAUSE_NS) {
                Set<HostAndPort> nodes = new LinkedHashSet<>(seeds.addresses());
                if (seeds.kind() == Deployment.CLUSTER) {
                    nodes.addAll(current.nodes());
                }
                RedisTopology told = ask(nodes);
                synchronized (this) {
                    current = told.equals(current) ? current : told;
                }
            }
        } catch (JedisException e) {
            // A caller that needs a missing node notices when it connects.
        } finally {
            askedNs = System.nanoTime();
            asking.unlock();
        }
        return current;
    }

    private RedisTopology ask(Set<HostAndPort> nodes) {
        JedisException failure = null;
        for (HostAndPort node : nodes) {
            try (Jedis jedis = links.jedis(node)) {
                return switch (seeds.kind()) {
                    case SERVER -> {
                        // A server that needs a password reports that only with the first command.
                        jedis.ping();
                        yield RedisTopology.single(node);
                    }
                    case CLUSTER -> RedisTopology.cluster((List<?>) jedis.sendCommand(Command.CLUSTER, "SLOTS"), node);
                    case SENTINELS -> RedisTopology.single(primary(jedis));
                };
            } catch (JedisException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        throw failure == null ? new JedisException("no address is given") : failure;
    }

    private HostAndPort primary(Jedis sentinel) {
        List<?> address = (List<?>) sentinel.sendCommand(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", seeds.primary());
        if (address == null) {
            throw new JedisException("the sentinel knows no primary named '" + seeds.primary() + "' (sentinelMaster)");
        }
        String host = new String((byte[]) address.get(0), StandardCharsets.UTF_8);
        String port = new String((byte[]) address.get(1), StandardCharsets.UTF_8);
        return new HostAndPort(host, Integer.parseInt(port));
    }

    /** Breaks off a current call and fails every later one. */
    void close() {
        links.close();
    }
}
