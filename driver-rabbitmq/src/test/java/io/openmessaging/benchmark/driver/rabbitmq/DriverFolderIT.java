package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
class DriverFolderIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Of the class path of the tests, a driver sees the SPI and slf4j. */
    private static final class SharedClasses extends ClassLoader {

        SharedClasses() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            boolean ofSpi = name.matches("io\\.openmessaging\\.benchmark\\.driver\\.[A-Z]\\w*(\\$\\w+)?");
            if (ofSpi || name.startsWith("org.slf4j.")) {
                return DriverFolderIT.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDriverWorksFromItsFolderAlone(QueueType type) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // That of the harness, which does not see the driver's jars.
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (URLClassLoader loader = new URLClassLoader(jars(), new SharedClasses())) {
            Class<?> driver = loader.loadClass(RabbitMqBenchmarkDriver.class.getName());
            assertThat(driver).isNotSameAs(RabbitMqBenchmarkDriver.class);
            use((BenchmarkDriver<?>) driver.getConstructor().newInstance(), type);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] jars() throws Exception {
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("target", "driver"))) {
            for (Path file : files.toList()) {
                jars.add(file.toUri().toURL());
            }
        }
        return jars.toArray(URL[]::new);
    }

    private static <C extends Record> void use(BenchmarkDriver<C> driver, QueueType type) throws Exception {
        try (DriverSession session = DriverSession.open(driver, config(driver.configType(), type), TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send("key", new byte[1000], callback);
            callback.awaitAcknowledged(TIMEOUT);
            listener.awaitMessages(1, TIMEOUT);
        }
    }

    /** Enums are those of the other class loader, found by their names; zstd brings a native library. */
    private static <C extends Record> C config(Class<C> record, QueueType queueType) throws Exception {
        Map<String, Object> values = Map.of(
                "amqpUris",
                List.of("amqp://" + RABBITMQ.address()),
                "streamAddresses",
                List.of(RABBITMQ.streamAddress()),
                "queueType",
                queueType.name(),
                "streamSubEntrySize",
                10,
                "streamCompression",
                "ZSTD");
        List<@Nullable Object> arguments = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            Object value = values.get(component.getName());
            if (component.getType() == boolean.class) {
                value = false;
            } else if (value != null && component.getType().isEnum()) {
                value = component.getType().getMethod("valueOf", String.class).invoke(null, value);
            }
            arguments.add(value);
        }
        return record.cast(record.getConstructors()[0].newInstance(arguments.toArray()));
    }
}
