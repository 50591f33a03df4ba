package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A broker whose nodes are {@link TestNode}s: it starts in a fraction of a second and listens on no port. */
public final class TestBroker extends LocalBroker {

    private final TestNode.Behaviour behaviour;
    private final Duration limit;

    /** Creates a broker whose nodes all behave alike. */
    public TestBroker(TestNode.Behaviour behaviour, Duration limit) {
        super("test", Confinement.ProcessType.NATIVE, 4711);
        this.behaviour = behaviour;
        this.limit = limit;
    }

    /** Returns a broker that works. */
    public static TestBroker serving() {
        return new TestBroker(TestNode.Behaviour.SERVE, Duration.ofSeconds(60));
    }

    @Override
    public Offer offer() {
        return new Offer("a broker for tests", Optional.empty());
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            List<Path> readyFiles = new ArrayList<>();
            List<String> addresses = new ArrayList<>();
            for (int i = 1; i <= options.nodes(); i++) {
                Path folder = launch.folder("test-" + i);
                launch.start(new JvmNode(
                        "test-" + i,
                        "32m",
                        List.of("-XX:+UseSerialGC"),
                        JvmNode.classPath(List.of(), TestNode.class),
                        TestNode.class.getName(),
                        List.of(behaviour.name(), folder.toString())));
                readyFiles.add(folder.resolve("ready"));
                addresses.add(options.place().address().withPort(options.place().firstPort() + i - 1));
            }
            launch.await("the test nodes", limit, () -> readyFiles.stream().allMatch(Files::exists));
            if (options.security().any() && !options.settings().containsKey("insecure")) {
                launch.writeDriverFile("password: " + launch.credentials().passwordReference() + "\n");
            }
            return launch.complete("Test Broker", "1.0", addresses, Map.of(), Map.of("heap", "32m"));
        }
    }
}
