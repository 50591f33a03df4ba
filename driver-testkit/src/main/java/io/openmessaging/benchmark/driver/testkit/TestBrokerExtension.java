package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A {@link TestBroker} for the tests of a class, to be registered as an extension in a static field. Classes of a
 * module that request the same setup share one broker, which starts before the first of them and ends when all tests
 * are done. A driver's module extends this class with the kind of broker that it needs.
 *
 * @param <C> the driver's configuration record
 */
public abstract class TestBrokerExtension<C extends Record> implements BeforeAllCallback {

    private final BenchmarkDriver<C> driver;
    private final LocalBroker kind;
    private final TestBroker.Setup setup;
    private @Nullable TestBroker<C> started;

    /** Creates an extension whose broker is not started yet. */
    protected TestBrokerExtension(BenchmarkDriver<C> driver, LocalBroker kind, TestBroker.Setup setup) {
        this.driver = driver;
        this.kind = kind;
        this.setup = setup;
    }

    /** Starts the broker unless it already runs. */
    @Override
    @SuppressWarnings("unchecked") // A module has one driver per kind of broker.
    public final void beforeAll(ExtensionContext context) {
        // JUnit closes the content of this store when all tests are done.
        started = context.getRoot()
                .getStore(Namespace.create(getClass()))
                .computeIfAbsent(setup, key -> TestBroker.start(driver, kind, key), TestBroker.class);
    }

    /**
     * Returns the broker.
     *
     * @throws IllegalStateException before the tests of the class
     */
    protected final TestBroker<C> started() {
        if (started == null) {
            throw new IllegalStateException("The broker runs only during the tests of its class.");
        }
        return started;
    }

    /** Returns the running broker. */
    public final RunningBroker broker() {
        return started().broker();
    }

    /** Returns {@code host:port} of each node. */
    public final List<String> addresses() {
        return started().addresses();
    }

    /** Returns the same configuration with the addresses of this broker, set as the framework does. */
    public C reach(C config) {
        return started().reach(config);
    }
}
