package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
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
        try {
            // Not closed: the client's threads live for some seconds more, and drivers as long as the process.
            URLClassLoader loader = new URLClassLoader(jars(), new SharedClasses());
            Class<?> type = loader.loadClass(ArtemisBenchmarkDriver.class.getName());
            assertThat(type).isNotSameAs(ArtemisBenchmarkDriver.class);
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
        C config = driver.configType()
                .cast(driver.configType()
                        .getConstructors()[0]
                        .newInstance(new @Nullable Object[driver.configType().getRecordComponents().length]));
        Problems problems = new Problems();
        ((Checked) config).check(problems);
        assertThat(problems.found()).isEmpty();
        assertThat(driver.clientVersion()).matches("artemis-core-client \\d+\\.\\d+\\.\\d+");

        C reaching = driver.withAddresses(config, LocalArtemis.shared().addresses());
        try (DriverSession session = DriverSession.open(driver, reaching, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            for (int bytes : new int[] {1000, 1 << 20}) {
                RecordingCallback callback = new RecordingCallback("a message of " + bytes + " bytes");
                session.producer(topic).send("key", new byte[bytes], callback);
                callback.awaitAcknowledged(TIMEOUT);
            }
            listener.awaitMessages(2, TIMEOUT);
            assertThat(session.connection().describeBroker().version()).isNotEqualTo("unknown");
        }
    }
}
