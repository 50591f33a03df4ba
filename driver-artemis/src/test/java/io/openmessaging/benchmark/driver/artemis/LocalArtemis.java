package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real Artemis, closed by whoever started it. */
final class LocalArtemis implements AutoCloseable {

    private static final String HEAP = "256m";

    private final Path folder;
    private final RunningBroker broker;

    private LocalArtemis(Path folder, RunningBroker broker) {
        this.folder = folder;
        this.broker = broker;
    }

    /** Starts one. */
    static LocalArtemis start(Map<String, String> settings) throws LocalBrokerException, InterruptedException {
        try {
            Path folder = Files.createTempDirectory("driver-artemis-");
            RunningBroker broker = new ArtemisLocalBroker()
                    .start(new LocalBrokerOptions(
                            1,
                            HEAP,
                            Path.of(System.getProperty("benchmark.home")),
                            folder.resolve("artemis"),
                            0,
                            LocalBrokerOptions.Lifetime.WITH_STARTER,
                            System.err::println,
                            settings));
            return new LocalArtemis(folder, broker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            try {
                LocalArtemis broker = LocalArtemis.start(Map.of());
                Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop-artemis"));
                return broker;
            } catch (LocalBrokerException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    RunningBroker broker() {
        return broker;
    }

    List<String> addresses() {
        return broker.addresses();
    }

    /** The same configuration, pointed to this broker. */
    ArtemisConfig reach(ArtemisConfig config) {
        return new ArtemisBenchmarkDriver().withAddresses(config, addresses());
    }

    @Override
    public void close() {
        broker.close();
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
