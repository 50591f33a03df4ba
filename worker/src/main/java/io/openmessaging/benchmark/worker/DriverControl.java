package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** By way of the driver. What goes wrong between two calls is only logged: it is in the way of no message. */
public final class DriverControl implements SystemControl {

    private static final Logger LOG = LoggerFactory.getLogger(DriverControl.class);

    private static final DriverEvents LOGGED = new DriverEvents() {
        @Override
        public void clientError(String kind, Throwable cause) {
            LOG.info("The coordinator's connection: {}", kind, cause);
        }

        @Override
        public void fatal(Throwable cause) {
            LOG.warn("The coordinator's connection", cause);
        }
    };

    private final LoadedDriver<?> driver;
    private @Nullable DriverConnection connection;

    /** Not connected yet. */
    public DriverControl(LoadedDriver<?> driver) {
        this.driver = driver;
    }

    @Override
    public BrokerDescription connect(String runId, Duration timeout) throws DriverException, InterruptedException {
        DriverConnection opened = driver.connect(new DriverContext(runId, timeout, LOGGED));
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
