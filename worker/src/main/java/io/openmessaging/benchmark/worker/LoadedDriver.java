package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
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

    private final DriverDescription description;
    private final BenchmarkDriver<C> driver;
    private final C config;
    private final ClassLoader classLoader;

    /**
     * Creates a driver whose configuration is bound and checked.
     *
     * @param description source of driver and configuration
     */
    public LoadedDriver(DriverDescription description, BenchmarkDriver<C> driver, C config) {
        this(description, driver, config, driver.getClass().getClassLoader());
    }

    /**
     * Creates a driver whose client's classes are in another class loader than the driver's own class.
     *
     * @param classLoader the context class loader of every call
     */
    LoadedDriver(DriverDescription description, BenchmarkDriver<C> driver, C config, ClassLoader classLoader) {
        this.description = description;
        this.driver = driver;
        this.config = config;
        this.classLoader = classLoader;
    }

    /** Everything that another process needs to load the same driver with the same addresses. */
    public DriverDescription description() {
        return description;
    }

    /** The addresses in the configuration. */
    public List<String> addresses() {
        return driver.addresses(config);
    }

    /**
     * Returns the driver with other addresses.
     *
     * @param endpoints addresses of further endpoints of the same broker, by protocol
     */
    public LoadedDriver<C> withAddresses(List<String> addresses, Map<String, List<String>> endpoints) {
        C pointed = driver.withAddresses(config, addresses);
        for (Map.Entry<String, List<String>> endpoint : endpoints.entrySet()) {
            pointed = driver.withEndpoint(pointed, endpoint.getKey(), endpoint.getValue());
        }
        return new LoadedDriver<>(description.withAddresses(addresses, endpoints), driver, pointed, classLoader);
    }

    /**
     * Sources of the figures that nodes report through the client; the caller closes them.
     *
     * @param timeout the limit for each reading
     */
    public List<NodeFigures> nodeFigures(Duration timeout) {
        return driver.nodeFigures(config, timeout).stream()
                .<NodeFigures>map(figures -> new InItsClassLoader(figures, this))
                .toList();
    }

    /** Figures for threads that know nothing of drivers: each reading uses the driver's class loader. */
    private record InItsClassLoader(NodeFigures figures, LoadedDriver<?> driver) implements NodeFigures {

        @Override
        public String address() {
            return figures.address();
        }

        @Override
        public Map<String, Double> read() throws DriverException, InterruptedException {
            return driver.call(figures::read);
        }

        @Override
        public void close() {
            figures.close();
        }
    }

    /** The number of nodes that a local broker needs for the configuration; empty if one is enough. */
    public Optional<NodeNeeds> nodeNeeds() {
        return driver.nodeNeeds(config);
    }

    /** Returns whether messages can have headers of the system. */
    public boolean carriesHeaders() {
        return driver.carriesHeaders(config);
    }

    /** Existing topics to use instead of topics of the run's own; empty to create topics. */
    public List<String> existingTopics() {
        return driver.existingTopics(config);
    }

    /** Returns whether the partition of a message that was received is known. */
    boolean tellsPartitions() {
        return !driver.opaque();
    }

    /** Returns whether to connect may remove the system's topics. */
    boolean connectingResets() {
        return driver.opaque();
    }

    /** Returns whether the system is inside this process, where no other process can reach it. */
    public boolean insideThisProcess() {
        return addresses().isEmpty() && !driver.opaque();
    }

    /** The number of bytes of each message that the driver takes for itself. */
    public int scratchBytes() {
        return driver.scratchBytes(config);
    }

    /** Describes the time that the system stores with each message; empty if there is none. */
    Optional<String> messageTime() {
        return driver.messageTime(config);
    }

    /** The minimum that clients of one process need, if known. */
    Optional<ProcessNeeds> processNeeds(ClientCapacity clients) {
        return driver.processNeeds(config, clients.producers(), clients.consumers(), clients.consumersBlock());
    }

    /** The local brokers that can be started for this driver, the default first. */
    public List<String> localBrokers() {
        return driver.localBrokers();
    }

    public String clientVersion() {
        return driver.clientVersion();
    }

    DriverConnection connect(DriverContext context) throws DriverException, InterruptedException {
        return call(() -> driver.connect(config, context));
    }

    /** A call of the driver or its client. */
    interface Call<T> {
        T call() throws DriverException, InterruptedException;
    }

    /** A call that returns nothing. */
    interface Action {
        void run() throws DriverException, InterruptedException;
    }

    /**
     * Calls the driver with its class loader as the context class loader, through which clients look up their own
     * classes by name; threads that are started during the call inherit it.
     */
    <T> T call(Call<T> call) throws DriverException, InterruptedException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader());
        try {
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Makes a call that returns nothing. */
    void run(Action action) throws DriverException, InterruptedException {
        call(() -> {
            action.run();
            return true;
        });
    }

    /** Closes a connection of this driver. */
    void close(DriverConnection connection) throws DriverException {
        try {
            run(connection::close);
        } catch (InterruptedException e) {
            // The SPI requires that closing is not interrupted but keeps the interrupt status.
            Thread.currentThread().interrupt();
        }
    }

    ClassLoader classLoader() {
        return classLoader;
    }
}
