package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * Runs this driver's calls to Redis and words their errors. Jedis waits in reads that an interrupt does not end, so a
 * caller that gives up closes the sockets it reads from.
 */
public final class RedisCalls {

    /** Daemon threads that see the driver's classes. */
    public static final DriverThreads THREADS = DriverThreads.of(RedisCalls.class);

    /** Runs calls with a deadline, and words failures with {@link #reason}. */
    public static final Calls CALLS = new Calls("redis", THREADS, RedisCalls::reason);

    private RedisCalls() {}

    /**
     * Returns the messages of the error and its causes, each once; a redirection gets a hint about
     * {@code clusterAddresses}.
     */
    public static String reason(Throwable error) {
        String messages = Calls.messages(error, Calls::message);
        return error instanceof JedisMovedDataException
                ? messages + " (the server belongs to a Redis Cluster: list it in clusterAddresses)"
                : messages;
    }
}
