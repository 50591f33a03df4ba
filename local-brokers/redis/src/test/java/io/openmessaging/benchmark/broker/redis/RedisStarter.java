package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.Map;

/** A program that starts Redis, prints its process id and its port in a line, and stays. */
public final class RedisStarter {

    private RedisStarter() {}

    /** Arguments: the home folder, the broker's folder, and its lifetime. */
    public static void main(String[] arguments) throws Exception {
        LocalBrokerOptions options = new LocalBrokerOptions(
                1,
                null,
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                0,
                Lifetime.valueOf(arguments[2]),
                text -> {},
                Map.of());
        RunningBroker running = new RedisLocalBroker().start(options);
        System.out.println(
                running.nodes().get(0).pid() + " " + running.addresses().get(0).split(":")[1]);
        Thread.sleep(Long.MAX_VALUE);
    }
}
