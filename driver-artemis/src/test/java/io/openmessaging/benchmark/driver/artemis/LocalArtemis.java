package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import java.util.List;
import java.util.Map;

/** A real Artemis; the caller that starts it closes it. */
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

    /** Starts a broker; the second of two nodes is a backup. */
    static LocalArtemis start(int nodes, Map<String, String> settings) {
        return new LocalArtemis(nodes, settings);
    }

    /**
     * Returns the broker that the test classes of this JVM share, with a local broker's default settings. It ends with
     * the JVM.
     */
    static LocalArtemis shared() {
        return Shared.BROKER;
    }

    /** Returns the shared broker for this kind of client. */
    static LocalArtemis shared(ClientKind client) {
        return client == ClientKind.AMQP ? SharedWithAmqp.BROKER : Shared.BROKER;
    }

    /** Starts the broker on first use. */
    private static final class SharedWithAmqp {

        private static final LocalArtemis BROKER = Shared.start(Map.of("protocols", "CORE,AMQP"));
    }

    /** Starts the broker on first use. */
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

    /** Returns the same configuration with the address of this broker. */
    ArtemisConfig reach(ArtemisConfig config) {
        return started.reach(config);
    }

    @Override
    public void close() {
        started.close();
    }
}
