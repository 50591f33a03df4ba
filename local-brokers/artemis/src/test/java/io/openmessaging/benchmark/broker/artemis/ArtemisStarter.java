package io.openmessaging.benchmark.broker.artemis;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.Map;

/** A program that starts a broker, prints its process id and address, and stays. */
public final class ArtemisStarter {

    private ArtemisStarter() {}

    /** Arguments: the checkout and the broker's folder. */
    public static void main(String[] arguments) throws Exception {
        RunningBroker broker = new ArtemisLocalBroker()
                .start(new LocalBrokerOptions(
                        1,
                        "256m",
                        Path.of(arguments[0]),
                        Path.of(arguments[1]),
                        0,
                        LocalBrokerOptions.Lifetime.WITH_STARTER,
                        System.err::println,
                        Map.of()));
        System.out.println(
                broker.nodes().get(0).pid() + " " + broker.addresses().get(0));
        Thread.sleep(Long.MAX_VALUE);
    }
}
