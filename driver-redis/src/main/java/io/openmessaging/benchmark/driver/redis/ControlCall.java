package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * Something asked of Redis by a control thread. Jedis waits in reads that an interrupt does not end; so they happen on
 * a thread of their own, and whoever gives up closes the sockets it reads from.
 */
final class ControlCall {

    private ControlCall() {}

    /**
     * Calls the task and waits for its end.
     *
     * @param attempt what is asked, so that "Could not " may stand before it
     * @param abort makes the task fail soon; called when nobody waits for it any more
     * @throws DriverException if Redis refuses, with jedis' error as the cause, or does not answer within the limit
     */
    static <T> T run(String attempt, Duration limit, Callable<T> task, Runnable abort)
            throws DriverException, InterruptedException {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = new Thread(future, "redis-control");
        thread.setDaemon(true);
        thread.start();
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            abort.run();
            throw e;
        } catch (TimeoutException e) {
            abort.run();
            throw new DriverException("Could not " + attempt + ": no answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw failure(attempt, e.getCause() == null ? e : e.getCause());
        }
    }

    private static DriverException failure(String attempt, Throwable cause) {
        if (cause instanceof DriverException ours) {
            return ours;
        }
        if (cause instanceof JedisMovedDataException) {
            return new DriverException(
                    "Could not " + attempt + ": " + reason(cause)
                            + " (the server is one of a Redis Cluster: name it in clusterAddresses)",
                    cause);
        }
        if (cause instanceof JedisException) {
            return new DriverException("Could not " + attempt + ": " + reason(cause), cause);
        }
        throw new IllegalStateException("Could not " + attempt, cause);
    }

    /** Redis' own words, or those of the innermost cause where jedis only says that there is one. */
    static String reason(Throwable error) {
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

    /** Jedis tries each address of a host, and tells what became of it by the way. */
    private static @Nullable Throwable cause(Throwable error) {
        Throwable cause = error.getCause();
        Throwable[] byTheWay = error.getSuppressed();
        return cause == null && byTheWay.length > 0 ? byTheWay[0] : cause;
    }
}
