package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import org.jspecify.annotations.Nullable;
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
        return error instanceof JedisMovedDataException
                ? words(error) + " (the server belongs to a Redis Cluster: list it in clusterAddresses)"
                : words(error);
    }

    private static String words(Throwable error) {
        StringBuilder reason = new StringBuilder();
        Throwable next = error;
        while (next != null) {
            String message = next.getMessage() == null ? next.getClass().getSimpleName() : next.getMessage();
            Throwable cause = cause(next);
            boolean repeats = cause != null && message.equals(cause.toString());
            if (!repeats && reason.indexOf(message) < 0) {
                reason.append(reason.length() == 0 ? "" : ": ").append(message);
            }
            next = cause;
        }
        return reason.toString();
    }

    /**
     * Returns the cause, or else the first suppressed error: jedis tries each address of a host and suppresses their
     * errors.
     */
    private static @Nullable Throwable cause(Throwable error) {
        Throwable cause = error.getCause();
        Throwable[] byTheWay = error.getSuppressed();
        return cause == null && byTheWay.length > 0 ? byTheWay[0] : cause;
    }
}
