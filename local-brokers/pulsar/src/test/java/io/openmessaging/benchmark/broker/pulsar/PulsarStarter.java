package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.Map;

/** A program that starts a broker, prints its process id and its client address in a line, and stays. */
public final class PulsarStarter {

    private PulsarStarter() {}

    /** Arguments: the home folder, and the broker's folder. */
    public static void main(String[] arguments) throws Exception {
        LocalBrokerOptions options = new LocalBrokerOptions(
                1, null, Path.of(arguments[0]), Path.of(arguments[1]), 0, Lifetime.WITH_STARTER, text -> {}, Map.of());
        RunningBroker running = new PulsarLocalBroker().start(options);
        System.out.println(
                running.nodes().get(0).pid() + " " + running.addresses().get(0));
        Thread.sleep(Long.MAX_VALUE);
    }
}
