package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A program that starts a broker of three shell scripts, prints a line, and keeps running. */
public final class NativeTestStarter {

    private NativeTestStarter() {}

    /** Arguments: the broker's folder, its lifetime, and the script. */
    public static void main(String[] arguments) throws Exception {
        Location place = new Location(Path.of("."), Path.of(arguments[0]), 0, Lifetime.valueOf(arguments[1]));
        LocalBrokerOptions options = new LocalBrokerOptions(3, null, Map.of(), place, text -> {});
        RunningBroker running = new NativeTestBroker(arguments[2], Duration.ZERO).start(options);
        System.out.println("started " + running.nodes().size());
        Thread.sleep(Long.MAX_VALUE);
    }
}
