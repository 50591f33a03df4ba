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

    private LocalArtemis(int nodes, Map<String, String> settings) {
        started = TestBroker.start(
                new ArtemisBenchmarkDriver(), new ArtemisLocalBroker(), new Setup(nodes, HEAP, settings));
    }

    /** Starts one node. */
    static LocalArtemis start(Map<String, String> settings) {
        return start(1, settings);
    }

    /** Starts one, with a backup if there are two nodes. */
    static LocalArtemis start(int nodes, Map<String, String> settings) {
        return new LocalArtemis(nodes, settings);
    }

    /**
     * The one that the test classes of this JVM share, with the settings that a local broker has by default. It ends with
     * the JVM.
     */
    static LocalArtemis shared() {
        return Shared.BROKER;
    }

    /** The one that they share for this client. */
    static LocalArtemis shared(ClientKind client) {
        return client == ClientKind.AMQP ? SharedWithAmqp.BROKER : Shared.BROKER;
    }

    /** Started when it is first asked for. */
    private static final class SharedWithAmqp {

        private static final LocalArtemis BROKER = Shared.start(Map.of("protocols", "CORE,AMQP"));
    }

    /** Started when it is first asked for. */
    private static final class Shared {

        private static final LocalArtemis BROKER = start(Map.of());

        private static LocalArtemis start(Map<String, String> settings) {
            LocalArtemis broker = LocalArtemis.start(settings);
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
