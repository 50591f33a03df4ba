package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.SendCallback;
import redis.clients.jedis.CommandArguments;

/** Accepts commands from one thread at a time. */
@FunctionalInterface
public interface CommandSink {

    /**
     * Accepts a command. The callback is called once, on another thread or, if the command fails at once, on this one.
     */
    void submit(CommandArguments command, SendCallback callback) throws InterruptedException;
}
