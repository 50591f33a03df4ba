package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.redis.link.CommandPipeline;
import org.jspecify.annotations.Nullable;

/** Turns a message into the commands of one mode. Used by one thread. */
interface Publisher {

    /** Submits the commands; the callback is called once, when the last of them is answered. */
    void publish(CommandPipeline pipeline, int partition, @Nullable String key, byte[] payload, SendCallback callback)
            throws InterruptedException;
}
