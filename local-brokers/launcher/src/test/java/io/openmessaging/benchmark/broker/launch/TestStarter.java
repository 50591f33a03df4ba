package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Place;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A program that starts a broker of three nodes, prints a line, and stays. */
public final class TestStarter {

    private TestStarter() {}

    /** Arguments: the broker's folder, its lifetime, and how its nodes behave. */
    public static void main(String[] arguments) throws Exception {
        Place place = new Place(Path.of("."), Path.of(arguments[0]), 0, Lifetime.valueOf(arguments[1]));
        LocalBrokerOptions options = new LocalBrokerOptions(3, null, Map.of(), place, text -> {});
        TestBroker broker = new TestBroker(TestNode.Behaviour.valueOf(arguments[2]), Duration.ofSeconds(60));
        RunningBroker running = broker.start(options);
        System.out.println("started " + running.nodes().size());
        Thread.sleep(Long.MAX_VALUE);
    }
}
