package io.openmessaging.benchmark.driver.pulsar;

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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
class DriverFolderIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

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

    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(jars(), new SharedClasses())) {
            // As the harness has it in every call.
            thread.setContextClassLoader(loader);
            Class<?> type = loader.loadClass(PulsarBenchmarkDriver.class.getName());
            assertThat(type).isNotSameAs(PulsarBenchmarkDriver.class);
            use((BenchmarkDriver<?>) type.getConstructor().newInstance(), loader);
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

    private static <C extends Record> void use(BenchmarkDriver<C> driver, ClassLoader loader) throws Exception {
        C config = driver.withAddresses(config(driver, loader), PULSAR.broker().addresses());
        C pointed =
                driver.withEndpoint(config, "http", PULSAR.broker().endpoints().getOrDefault("http", List.of()));
        try (DriverSession session = DriverSession.open(driver, pointed, TIMEOUT)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send("key", new byte[1000], callback);
            callback.awaitAcknowledged(TIMEOUT);
            listener.awaitMessages(1, TIMEOUT);
        }
    }

    /** Everything as by default but for a login and a compression that needs a native library. */
    private static <C extends Record> C config(BenchmarkDriver<C> driver, ClassLoader loader) throws Exception {
        Login login = PULSAR.reach(TestConfigs.of("")).client().authentication();
        Object loginThere =
                record(loader.loadClass(Login.class.getName()), "plugin", login.plugin(), "data", login.data());
        Object client = record(loader.loadClass(ClientConfig.class.getName()), "authentication", loginThere);
        Class<?> compressions = loader.loadClass("org.apache.pulsar.client.api.CompressionType");
        Object zstd = compressions.getMethod("valueOf", String.class).invoke(null, "ZSTD");
        Object producer = record(loader.loadClass(ProducerConfig.class.getName()), "compression", zstd);
        return driver.configType().cast(record(driver.configType(), "client", client, "producer", producer));
    }

    /** Binds a few components, named before their values, and no others. */
    private static Object record(Class<?> type, @Nullable Object... namesAndValues) throws Exception {
        List<@Nullable Object> given = Arrays.asList(namesAndValues);
        List<@Nullable Object> values = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            int at = given.indexOf(component.getName());
            Object absent = component.getType() == boolean.class ? false : null;
            values.add(at < 0 ? absent : given.get(at + 1));
        }
        return type.getConstructors()[0].newInstance(values.toArray());
    }
}
