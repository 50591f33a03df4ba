package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
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
import org.jspecify.annotations.Nullable;

/** A program that loads the driver from its folder, as the harness does, sends a message and receives it. */
public final class FolderUser {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private FolderUser() {}

    /** Of the class path of the tests, a driver sees the SPI and slf4j. */
    private static final class SharedClasses extends ClassLoader {

        SharedClasses() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            boolean ofSpi = name.matches("io\\.openmessaging\\.benchmark\\.driver\\.[A-Z]\\w*(\\$\\w+)?");
            if (ofSpi || name.startsWith("org.slf4j.") || name.startsWith("org.jspecify.")) {
                return FolderUser.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    /** Arguments: the protocol, the name server, the proxy. */
    public static void main(String[] arguments) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(jars(), new SharedClasses())) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> type = loader.loadClass(RocketMQBenchmarkDriver.class.getName());
            use((BenchmarkDriver<?>) type.getConstructor().newInstance(), arguments);
        }
        System.out.println("received");
        System.exit(0);
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

    private static <C extends Record> void use(BenchmarkDriver<C> driver, String[] arguments) throws Exception {
        C config = driver.withEndpoint(
                driver.withAddresses(config(driver, arguments[0]), List.of(arguments[1])),
                "grpc",
                List.of(arguments[2]));
        try (DriverSession session = DriverSession.open(driver, config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send("key", new byte[10_000], callback);
            callback.awaitAcknowledged(TIMEOUT);
            listener.awaitMessages(1, TIMEOUT);
        }
    }

    /** All defaults but for the protocol. */
    private static <C extends Record> C config(BenchmarkDriver<C> driver, String protocol) throws Exception {
        Constructor<?> constructor = driver.configType().getDeclaredConstructors()[0];
        Class<?>[] types = constructor.getParameterTypes();
        @Nullable Object[] values = new @Nullable Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = types[i] == boolean.class ? false : null;
        }
        for (Object constant : types[0].getEnumConstants()) {
            if (constant.toString().equals(protocol)) {
                values[0] = constant;
            }
        }
        return driver.configType().cast(constructor.newInstance(values));
    }
}
