package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.suite.BrokerStarts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real broker to test a driver with, on loopback, in its own temporary folder.
 *
 * <p>Jars and packages that it needs are fetched into the checkout's cache, which is located by the system property
 * {@code benchmark.home}.
 *
 * @param <C> the driver's configuration record
 */
public final class TestBroker<C extends Record> implements AutoCloseable {

    private final BenchmarkDriver<C> driver;
    private final String kind;
    private final Path folder;
    private final RunningBroker broker;

    private TestBroker(BenchmarkDriver<C> driver, String kind, Path folder, RunningBroker broker) {
        this.driver = driver;
        this.kind = kind;
        this.folder = folder;
        this.broker = broker;
    }

    /**
     * Properties that distinguish one broker from another.
     *
     * @param nodes the number of nodes, at least 1
     * @param heap heap of each JVM node in the notation of {@code -Xmx}; null for the broker's default
     * @param settings entries of the broker's own configuration
     * @param security what the broker requires of clients
     */
    public record Setup(int nodes, @Nullable String heap, Map<String, String> settings, Security security) {

        /** Sets no security. */
        public Setup(int nodes, @Nullable String heap, Map<String, String> settings) {
            this(nodes, heap, settings, Security.NONE);
        }

        /** One node with default settings. */
        public static final Setup SINGLE = new Setup(1, null, Map.of());

        /** Returns a setup of several nodes with default settings. */
        public static Setup ofNodes(int nodes) {
            return new Setup(nodes, null, Map.of());
        }

        /** Returns a setup of one node with these settings. */
        public static Setup with(Map<String, String> settings) {
            return new Setup(1, null, settings);
        }
    }

    /**
     * Starts a broker that ends with this process at the latest.
     *
     * @param driver the driver whose configurations connect to it
     * @throws IllegalStateException if it cannot be started, with the reason
     */
    public static <C extends Record> TestBroker<C> start(BenchmarkDriver<C> driver, LocalBroker kind, Setup setup) {
        try {
            BrokerStarts.count(kind.name());
            Path folder = Files.createTempDirectory("driver-test-" + kind.name() + "-");
            try {
                return new TestBroker<>(
                        driver, kind.name(), folder, kind.start(options(folder.resolve(kind.name()), setup)));
            } catch (LocalBrokerException | InterruptedException | RuntimeException e) {
                Files.deleteIfExists(folder);
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during the start of " + kind.name(), e);
        } catch (LocalBrokerException | IOException e) {
            throw new IllegalStateException("No " + kind.name() + " to test with: " + e.getMessage(), e);
        }
    }

    private static LocalBrokerOptions options(Path folder, Setup setup) {
        String home =
                Objects.requireNonNull(System.getProperty("benchmark.home"), "the system property benchmark.home");
        return new LocalBrokerOptions(
                Version.CURRENT,
                setup.nodes(),
                new Jvm(setup.heap(), false),
                setup.settings(),
                Confinement.NONE,
                setup.security(),
                new Location(Path.of(home), folder),
                System.err::println);
    }

    /** Returns the driver file that connects to a broker with {@link Setup#security}. */
    public ShippedDriverFile driverFile() {
        return ShippedDriverFile.read(RunningBroker.driverFile(folder.resolve(kind)));
    }

    public RunningBroker broker() {
        return broker;
    }

    /** Returns {@code host:port} of each node. */
    public List<String> addresses() {
        return broker.addresses();
    }

    /** Returns the same configuration with the addresses of this broker, set as the framework does. */
    public C reach(C config) {
        return reach(driver, config, addresses(), broker.endpoints());
    }

    static <C extends Record> C reach(
            BenchmarkDriver<C> driver, C config, List<String> addresses, Map<String, List<String>> endpoints) {
        C reached = driver.withAddresses(config, addresses);
        for (Map.Entry<String, List<String>> endpoint : endpoints.entrySet()) {
            reached = driver.withEndpoint(reached, endpoint.getKey(), endpoint.getValue());
        }
        return reached;
    }

    /** Ends the broker and removes its folder. */
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
