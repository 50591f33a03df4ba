package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A program that starts a limited broker, prints the folders of its control groups and an empty line, and keeps
 * running.
 */
public final class LimitedTestStarter {

    private LimitedTestStarter() {}

    /** Argument: the broker's folder. */
    public static void main(String[] arguments) throws Exception {
        Confinement confinement = Confinement.ofBroker(
                new ProcessLimit(1.0, ProcessLimit.memoryBytes("256m")),
                Confinement.ProcessType.NATIVE,
                LimitMechanisms.ofThisMachine());
        LocalBrokerOptions options = new LocalBrokerOptions(
                Version.CURRENT,
                1,
                new Jvm(null, false),
                Map.of(),
                confinement,
                Security.NONE,
                new Location(Path.of("."), Path.of(arguments[0])),
                text -> {});
        RunningBroker running = new NativeTestBroker(NativeTestBroker.SERVE, Duration.ZERO).start(options);
        for (LimitGroup group : running.limitGroups()) {
            group.folders().forEach(System.out::println);
        }
        System.out.println();
        Thread.sleep(Long.MAX_VALUE);
    }
}
