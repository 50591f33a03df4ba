package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.program.ProgramPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that starts Redpanda until a test kills it. */
public final class RedpandaStarter {

    private RedpandaStarter() {}

    /**
     * Starts Redpanda, prints that, and waits.
     *
     * @param arguments the folder of the program {@code docker}, and the broker's folder
     */
    public static void main(String[] arguments) throws Exception {
        ProgramPath programs = new ProgramPath(List.of(Path.of(arguments[0])));
        Path folder = Path.of(arguments[1]);
        try (RunningBroker broker = new RedpandaLocalBroker(programs, Duration.ofSeconds(60))
                .start(new LocalBrokerOptions(1, null, Map.of(), new Location(folder, folder), text -> {}))) {
            System.out.println(broker.addresses());
            new CountDownLatch(1).await();
        }
    }
}
