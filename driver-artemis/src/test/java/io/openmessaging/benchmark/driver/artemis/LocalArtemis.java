package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import java.util.List;
import java.util.Map;

/** A real Artemis, closed by whoever started it. */
final class LocalArtemis implements AutoCloseable {

    private static final String HEAP = "256m";

    private final TestBroker<ArtemisConfig> started;

    private LocalArtemis(Map<String, String> settings) {
        started =
                TestBroker.start(new ArtemisBenchmarkDriver(), new ArtemisLocalBroker(), new Setup(1, HEAP, settings));
    }

    /** Starts one. */
    static LocalArtemis start(Map<String, String> settings) {
        return new LocalArtemis(settings);
    }

    /**
     * The one that the test classes of this JVM share, with the settings that a local broker has by default. It ends with
     * the JVM.
     */
    static LocalArtemis shared() {
        return Shared.BROKER;
    }

    /** Started when it is first asked for. */
    private static final class Shared {

        private static final LocalArtemis BROKER = start();

        private static LocalArtemis start() {
            LocalArtemis broker = LocalArtemis.start(Map.of());
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop-artemis"));
            return broker;
        }
    }

    RunningBroker broker() {
        return started.broker();
    }

    List<String> addresses() {
        return started.addresses();
    }

    /** The same configuration, pointed to this broker. */
    ArtemisConfig reach(ArtemisConfig config) {
        return started.reach(config);
    }

    @Override
    public void close() {
        started.close();
    }
}
