package io.openmessaging.benchmark.driver.redis.read;

import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import java.io.IOException;
import java.time.Duration;

/**
 * Receives a consumer's messages over one connection, in one mode. All methods are called by one thread at a time;
 * they throw {@code JedisException} or {@code IOException} if Redis refuses or the connection is lost.
 */
public interface MessageSource {

    /** Upper limit of {@link #waitOf}. */
    Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /**
     * Returns how long Redis keeps a read waiting for messages. An idle consumer asks five times a second, which costs
     * next to nothing, and closes faster than that; one of thousands asks less often.
     *
     * @param consumers number of consumers created together
     */
    static Duration waitOf(int consumers) {
        return Duration.ofMillis(Math.min(LONGEST_WAIT.toMillis(), Math.max(200, consumers / 2)));
    }

    /**
     * Attaches a new connection to the subscription: messages sent after this method returns are delivered. Called
     * again with another connection after each lost one.
     */
    void attach(RedisLink link) throws IOException;

    /**
     * Waits up to {@link #LONGEST_WAIT} for messages, or without a limit if they are {@linkplain #isPushed pushed},
     * and delivers those that have arrived. Returns after a limited number.
     */
    void deliverSome(RedisLink link) throws IOException;

    /** Completes outstanding acknowledgements before reading stops for a while. */
    default void settle(RedisLink link) throws IOException {}

    /** Returns whether Redis sends messages without being asked: only closing the connection then ends a wait. */
    default boolean isPushed() {
        return false;
    }
}
