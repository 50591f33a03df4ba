package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A driver with its configuration, ready to connect.
 *
 * @param <C> the driver's configuration record
 */
public final class LoadedDriver<C extends Record> {

    private final DriverSettings settings;
    private final BenchmarkDriver<C> driver;
    private final C config;

    /** A driver with a configuration that was bound and checked. */
    public LoadedDriver(DriverSettings settings, BenchmarkDriver<C> driver, C config) {
        this.settings = settings;
        this.driver = driver;
        this.config = config;
    }

    /** Where the configuration points to. */
    public List<String> addresses() {
        return driver.addresses(config);
    }

    /**
     * The same driver, pointed elsewhere.
     *
     * @param endpoints further ways into the same broker, by what is spoken there
     */
    public LoadedDriver<C> withAddresses(List<String> addresses, Map<String, List<String>> endpoints) {
        C pointed = driver.withAddresses(config, addresses);
        for (Map.Entry<String, List<String>> endpoint : endpoints.entrySet()) {
            pointed = driver.withEndpoint(pointed, endpoint.getKey(), endpoint.getValue());
        }
        return new LoadedDriver<>(settings, driver, pointed);
    }

    /**
     * What the nodes tell of themselves by way of the client; to be closed.
     *
     * @param timeout the limit for each reading
     */
    public List<NodeFigures> nodeFigures(Duration timeout) {
        return driver.nodeFigures(config, timeout).stream()
                .<NodeFigures>map(figures -> new InItsClassLoader(figures, classLoader()))
                .toList();
    }

    /** Figures that are read by threads which know nothing of drivers. */
    private record InItsClassLoader(NodeFigures figures, ClassLoader loader) implements NodeFigures {

        @Override
        public String address() {
            return figures.address();
        }

        @Override
        public Map<String, Double> read() throws DriverException, InterruptedException {
            Thread current = Thread.currentThread();
            ClassLoader before = current.getContextClassLoader();
            current.setContextClassLoader(loader);
            try {
                return figures.read();
            } finally {
                current.setContextClassLoader(before);
            }
        }

        @Override
        public void close() {
            figures.close();
        }
    }

    /** The local broker that can be started for it. */
    public Optional<String> localBroker() {
        return driver.localBroker();
    }

    /** Name and version of the client library. */
    public String clientVersion() {
        return driver.clientVersion();
    }

    /** Opens a connection. */
    DriverConnection connect(DriverContext context) throws DriverException, InterruptedException {
        return driver.connect(config, context);
    }

    /**
     * The class loader of the driver and its client. Clients look up their own parts by name in the context class
     * loader, which therefore has to be this one wherever the driver is called.
     */
    ClassLoader classLoader() {
        return driver.getClass().getClassLoader();
    }
}
