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

    /**
     * A driver with a configuration that was bound and checked.
     *
     * @param description what it was made of
     */
    public LoadedDriver(DriverDescription description, BenchmarkDriver<C> driver, C config) {
        this.description = description;
        this.driver = driver;
        this.config = config;
    }

    /** What another process needs to load the same driver, pointed to the same place. */
    public DriverDescription description() {
        return description;
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
        return new LoadedDriver<>(description.withAddresses(addresses, endpoints), driver, pointed);
    }

    /**
     * What the nodes tell of themselves by way of the client; to be closed.
     *
     * @param timeout the limit for each reading
     */
    public List<NodeFigures> nodeFigures(Duration timeout) {
        return driver.nodeFigures(config, timeout).stream()
                .<NodeFigures>map(figures -> new InItsClassLoader(figures, this))
                .toList();
    }

    /** Figures that are read by threads which know nothing of drivers. */
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

    /** What a local broker needs for the configuration; empty where one node does. */
    public Optional<NodeNeeds> nodeNeeds() {
        return driver.nodeNeeds(config);
    }

    /** Whether messages can have headers of the system. */
    public boolean carriesHeaders() {
        return driver.carriesHeaders(config);
    }

    /** Topics that take the places of a run's own; none for topics of its own. */
    public List<String> existingTopics() {
        return driver.existingTopics(config);
    }

    /** What the time is that the system keeps with each message; empty if there is none. */
    Optional<String> messageTime() {
        return driver.messageTime(config);
    }

    /** What clients of one process need at least, if that is known. */
    Optional<ProcessNeeds> processNeeds(ClientCapacity clients) {
        return driver.processNeeds(config, clients.producers(), clients.consumers(), clients.consumersBlock());
    }

    /** The local brokers that can be started for it, the usual one first. */
    public List<String> localBrokers() {
        return driver.localBrokers();
    }

    /** Name and version of the client library. */
    public String clientVersion() {
        return driver.clientVersion();
    }

    /** Opens a connection. */
    DriverConnection connect(DriverContext context) throws DriverException, InterruptedException {
        return call(() -> driver.connect(config, context));
    }

    /** Something that calls the driver or its client. */
    interface Call<T> {
        T call() throws DriverException, InterruptedException;
    }

    /** The same without a value. */
    interface Action {
        void run() throws DriverException, InterruptedException;
    }

    /**
     * Calls the driver as it has to be called: clients look up their own parts by name in the context class loader, which
     * therefore has to be the driver's; threads that are started meanwhile inherit it.
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

    /** The same without a value. */
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
            // The SPI has it that closing is not interrupted, but keeps the status.
            Thread.currentThread().interrupt();
        }
    }

    /** The class loader of the driver and its client. */
    ClassLoader classLoader() {
        return driver.getClass().getClassLoader();
    }
}
