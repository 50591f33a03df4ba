package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
@ExtendWith(SharedRedis.class)
class DriverFolderIT {

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
        // That of the harness, which does not see the driver's jars.
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (URLClassLoader loader = new URLClassLoader(jars(), new SharedClasses())) {
            Class<?> type = loader.loadClass(RedisBenchmarkDriver.class.getName());
            assertThat(type).isNotSameAs(RedisBenchmarkDriver.class);
            use((BenchmarkDriver<?>) type.getConstructor().newInstance());
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

    private static <C extends Record> void use(BenchmarkDriver<C> driver) throws Exception {
        Constructor<?> constructor = driver.configType().getConstructors()[0];
        C absent = driver.configType().cast(constructor.newInstance(new Object[constructor.getParameterCount()]));
        C config = driver.withAddresses(absent, List.of(SharedRedis.get().address()));
        Problems problems = new Problems();
        ((Checked) config).check(problems);
        assertThat(problems.found()).isEmpty();

        try (DriverSession session = DriverSession.open(driver, config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send("key", new byte[1000], callback);
            callback.awaitAcknowledged(TIMEOUT);
            listener.awaitMessages(1, TIMEOUT);
        }
    }
}
