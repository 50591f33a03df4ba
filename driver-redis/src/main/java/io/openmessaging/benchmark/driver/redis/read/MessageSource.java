package io.openmessaging.benchmark.driver.redis.read;

import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import java.io.IOException;
import java.time.Duration;

/**
 * How a consumer's messages are got over one connection, in one mode. All methods are called by one thread at a time; they
 * throw {@code JedisException} or {@code IOException} if Redis refuses or the connection is lost.
 */
public interface MessageSource {

    /** The longest of all {@link #waitOf}. */
    Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /**
     * How long Redis keeps a read waiting for messages. An idle consumer asks five times a second, which costs next to
     * nothing, and closes in less than that; one of thousands asks less often.
     *
     * @param consumers how many are created together
     */
    static Duration waitOf(int consumers) {
        return Duration.ofMillis(Math.min(LONGEST_WAIT.toMillis(), Math.max(200, consumers / 2)));
    }

    /**
     * Attaches a new connection to the subscription: what is sent after the return is delivered. Called again with
     * another connection once one is lost.
     */
    void attach(RedisLink link) throws IOException;

    /**
     * Waits up to {@link #LONGEST_WAIT} for messages, or any time if they are {@linkplain #isPushed pushed}, and delivers those
     * that have come. Returns after a limited number.
     */
    void deliverSome(RedisLink link) throws IOException;

    /** Sends what Redis should know before nothing is asked for a while. */
    default void settle(RedisLink link) throws IOException {}

    /** Whether Redis sends messages without being asked: then only the end of the connection ends a wait for them. */
    default boolean isPushed() {
        return false;
    }
}
