package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A driver loaded from the folder that its module packages, {@code target/driver}, as the harness loads it: in its own
 * class loader, which exposes from the tests' class path only the SPI, slf4j and JSpecify. Classes that are missing
 * from the folder are therefore missing from the driver.
 *
 * <p>The class loader is never closed: clients have threads that live on for some seconds, and in the harness, drivers
 * stay loaded until the process ends.
 *
 * @param <C> the driver's configuration record, of the driver's class loader
 */
public final class PackagedDriver<C extends Record> {

    private final BenchmarkDriver<C> driver;
    private final ClassLoader contextClassLoader;

    private PackagedDriver(BenchmarkDriver<C> driver, ClassLoader contextClassLoader) {
        this.driver = driver;
        this.contextClassLoader = contextClassLoader;
    }

    /**
     * Loads the driver of the module whose tests run.
     *
     * @param type the driver's class, as the tests see it
     */
    public static PackagedDriver<?> load(Class<? extends BenchmarkDriver<?>> type) throws Exception {
        return load(type, Path.of("target", "driver"));
    }

    static PackagedDriver<?> load(Class<? extends BenchmarkDriver<?>> type, Path folder) throws Exception {
        ClassLoader loader = new URLClassLoader(jars(folder), new SharedClasses());
        ClassLoader outside = ClassLoader.getPlatformClassLoader();
        return calledWith(outside, () -> {
            Class<?> packaged = loader.loadClass(type.getName());
            assertThat(packaged).as("the class that was loaded from %s", folder).isNotSameAs(type);
            BenchmarkDriver<?> driver =
                    (BenchmarkDriver<?>) packaged.getConstructor().newInstance();
            return new PackagedDriver<>(driver, outside);
        });
    }

    private static <T> T calledWith(ClassLoader contextClassLoader, Callable<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(contextClassLoader);
        try {
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Returns the same driver, called by threads whose context class loader is the driver's, as in the harness. By
     * default, the context class loader does not see the driver's jars, which is the stricter test: it shows that
     * neither the driver nor its client depends on the caller.
     */
    public PackagedDriver<C> calledAsByTheHarness() {
        return new PackagedDriver<>(driver, driver.getClass().getClassLoader());
    }

    private static URL[] jars(Path folder) throws IOException {
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                jars.add(file.toUri().toURL());
            }
        }
        return jars.toArray(URL[]::new);
    }

    /** Returns the driver itself, for tests beyond the exchange of messages. */
    public BenchmarkDriver<C> driver() {
        return driver;
    }

    /**
     * Binds and checks a configuration, connects, and sends a message of each size to a consumer, which must receive
     * all of them.
     *
     * @param keys the driver's keys, as in a driver file: enum constants by their names
     * @param addresses the broker's addresses, as the framework passes them to {@link BenchmarkDriver#withAddresses}
     * @param endpoints the broker's further addresses, as the framework passes them to {@link
     *     BenchmarkDriver#withEndpoint}
     * @param payloadBytes the size of each message, bytes
     * @return the driver's description of the broker
     */
    public BrokerDescription carriesMessages(
            Map<String, ?> keys, List<String> addresses, Map<String, List<String>> endpoints, int... payloadBytes)
            throws Exception {
        return calledWith(contextClassLoader, () -> {
            C config = DriverConfigs.bind(driver.configType(), keys);
            assertThat(DriverConfigs.problemsOf(config))
                    .as("what is wrong with %s", keys)
                    .isEmpty();
            return carry(TestBroker.reach(driver, config, addresses, endpoints), payloadBytes);
        });
    }

    private BrokerDescription carry(C config, int[] payloadBytes) throws Exception {
        try (DriverSession session = DriverSession.open(driver, config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int bytes : payloadBytes) {
                RecordingCallback callback = new RecordingCallback("a message of " + bytes + " bytes");
                producer.send("key", new byte[bytes], callback);
                callback.awaitAcknowledged(Patience.LIMIT);
            }
            assertThat(listener.awaitMessages(payloadBytes.length, Patience.LIMIT))
                    .extracting(message -> message.payload().length)
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(payloadBytes).boxed().toList());
            return session.connection().describeBroker();
        }
    }

    /** The classes of the tests' class path that a driver sees. */
    private static final class SharedClasses extends ClassLoader {

        private static final String SPI_PACKAGE = BenchmarkDriver.class.getPackageName() + ".";

        SharedClasses() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (isShared(name)) {
                return PackagedDriver.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }

        /** Drivers live in packages below the SPI's, so only classes of the SPI package itself are shared. */
        private static boolean isShared(String name) {
            return name.startsWith("org.slf4j.")
                    || name.startsWith("org.jspecify.")
                    || name.startsWith(SPI_PACKAGE) && name.indexOf('.', SPI_PACKAGE.length()) < 0;
        }
    }
}
