package io.openmessaging.benchmark.driver.redis;

import java.io.IOException;

/**
 * Where a consumer's messages of one node come from, in one mode. All methods but {@link #wakeUp} are called by one
 * thread at a time; they throw {@code JedisException} or {@code IOException} if Redis refuses or the connection is lost.
 */
interface MessageSource {

    /** Connects, or connects again, and attaches to the subscription: what is sent after the return is delivered. */
    void open() throws IOException;

    /**
     * Waits a fraction of a second for messages, or, if {@link #wakeUp} ends it, any time, and delivers those that have
     * come. Returns after a limited number.
     */
    void deliverSome() throws IOException;

    /** Sends what Redis should know before nothing is asked for a while. */
    void settle() throws IOException;

    /** Ends a wait that has no limit of its own. The source cannot be used afterwards. Called by any thread. */
    void wakeUp();

    /** The kind of error that the loss of the connection is. */
    String lossKind();

    /** Says what is read here, for a sentence. */
    @Override
    String toString();
}
