package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Controls the system through the driver. Errors between two calls are only logged, unless topics are being read. */
public final class DriverControl implements SystemControl {

    private static final Logger LOG = LoggerFactory.getLogger(DriverControl.class);

    private final LoadedDriver<?> driver;
    private @Nullable DriverConnection connection;

    /** The last error between two calls since the current reading of topics started; written by any thread. */
    private volatile @Nullable String problem;

    private volatile Consumer<String> told = what -> {};

    private final DriverEvents events = new DriverEvents() {
        @Override
        public void clientError(String kind, Throwable cause) {
            LOG.info("Error on the coordinator's connection: {}", kind, cause);
            problem = kind + ": " + cause.getMessage();
        }

        @Override
        public void fatal(Throwable cause) {
            LOG.warn("The coordinator's connection has failed", cause);
            problem = String.valueOf(cause.getMessage());
        }

        @Override
        public void waits(String what) {
            told.accept(what);
        }
    };

    /** Creates an object that is not connected yet. */
    public DriverControl(LoadedDriver<?> driver) {
        this.driver = driver;
    }

    @Override
    public List<String> existingTopics() {
        return driver.existingTopics();
    }

    @Override
    public Optional<String> messageTime() {
        return driver.messageTime();
    }

    @Override
    public boolean tellsPartitions() {
        return driver.tellsPartitions();
    }

    @Override
    public boolean connectingResets() {
        return driver.connectingResets();
    }

    @Override
    public BrokerDescription connect(String runId, Duration timeout, Consumer<String> waits)
            throws DriverException, InterruptedException {
        told = waits;
        DriverConnection opened = driver.connect(new DriverContext(runId, timeout, events));
        connection = opened;
        return driver.call(opened::describeBroker);
    }

    private DriverConnection connection() {
        if (connection == null) {
            throw new IllegalStateException("connect() comes first");
        }
        return connection;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        driver.run(() -> connection().createTopics(topics));
    }

    @Override
    public List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        return driver.call(() -> connection().leaders(topics));
    }

    @Override
    public Optional<Reading> read(List<ConsumerSpec> readers) throws DriverException, InterruptedException {
        problem = null;
        List<BenchmarkConsumer> created = driver.call(() -> connection().createReaders(readers));
        return created.isEmpty() ? Optional.empty() : Optional.of(new FreshReaders(created));
    }

    private final class FreshReaders implements Reading {

        private final List<BenchmarkConsumer> readers;

        FreshReaders(List<BenchmarkConsumer> readers) {
            this.readers = readers;
        }

        @Override
        public Optional<String> problem() {
            return Optional.ofNullable(problem);
        }

        @Override
        public void close() throws DriverException {
            try {
                driver.run(() -> {
                    ParallelClose close = new ParallelClose();
                    close.all(readers);
                    close.throwFirstFailure();
                });
            } catch (InterruptedException e) {
                // Closing waits through interrupts and keeps the interrupt status.
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        driver.run(() -> connection().deleteTopics(topics));
    }

    @Override
    public void close() throws DriverException {
        DriverConnection opened = connection;
        connection = null;
        if (opened != null) {
            driver.close(opened);
        }
    }
}
