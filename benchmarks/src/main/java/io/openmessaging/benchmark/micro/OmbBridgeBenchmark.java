package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.omb.OmbConfig;
import io.openmessaging.benchmark.omb.OmbDriver;
import io.openmessaging.benchmark.omb.OmbFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of the bridge to drivers of OMB for each message: a send, its answer and its arrival. The drivers do nothing
 * but call the consumer and confirm the message, on the sending thread; one was built against OMB's API, the other one
 * against ours.
 */
public class OmbBridgeBenchmark extends NsPerCall {

    private static final String API = "io.openmessaging.benchmark.driver.";
    private static final String DRIVER = "example.DirectBenchmarkDriver";

    private static final Map<String, String> SOURCES = Map.of(
            API + "BenchmarkDriver",
            """
            import java.util.concurrent.CompletableFuture;
            public interface BenchmarkDriver extends AutoCloseable {
                void initialize(java.io.File file, Object statsLogger);
                String getTopicNamePrefix();
                CompletableFuture<Void> createTopic(String topic, int partitions);
                CompletableFuture<BenchmarkProducer> createProducer(String topic);
                CompletableFuture<BenchmarkConsumer> createConsumer(String topic, String name, ConsumerCallback callback);
            }
            """,
            API + "BenchmarkProducer",
            """
            public interface BenchmarkProducer extends AutoCloseable {
                java.util.concurrent.CompletableFuture<Void> sendAsync(java.util.Optional<String> key, byte[] payload);
            }
            """,
            API + "BenchmarkConsumer",
            "public interface BenchmarkConsumer extends AutoCloseable {}",
            API + "ConsumerCallback",
            "public interface ConsumerCallback { void messageReceived(byte[] payload, long publishTimestamp); }",
            DRIVER,
            """
            import io.openmessaging.benchmark.driver.*;
            import java.util.Optional;
            import java.util.concurrent.CompletableFuture;
            public class DirectBenchmarkDriver implements BenchmarkDriver {
                private ConsumerCallback callback;
                public void initialize(java.io.File file, Object statsLogger) {}
                public String getTopicNamePrefix() { return "direct"; }
                public CompletableFuture<Void> createTopic(String topic, int partitions) {
                    return CompletableFuture.completedFuture(null);
                }
                public CompletableFuture<BenchmarkProducer> createProducer(String topic) {
                    return CompletableFuture.completedFuture(new BenchmarkProducer() {
                        public CompletableFuture<Void> sendAsync(Optional<String> key, byte[] payload) {
                            CompletableFuture<Void> answer = new CompletableFuture<>();
                            callback.messageReceived(payload, 0);
                            answer.complete(null);
                            return answer;
                        }
                        public void close() {}
                    });
                }
                public CompletableFuture<BenchmarkConsumer> createConsumer(
                        String topic, String name, ConsumerCallback callback) {
                    this.callback = callback;
                    return CompletableFuture.completedFuture(() -> {});
                }
                public void close() {}
            }
            """);

    private final byte[] payload = new byte[1024];
    private final Count count = new Count();
    private @Nullable Path folder;
    private @Nullable DriverConnection connection;
    private BenchmarkProducer bridged = new DirectProducer(count);
    private final BenchmarkProducer own = new DirectProducer(count);

    /** The receiving end, and the answer to each message. */
    private static final class Count implements MessageListener, SendCallback {

        private long calls;

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            calls += payload.length;
        }

        @Override
        public void acknowledged() {
            calls++;
        }

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
        }
    }

    /** A producer of a driver of the harness. */
    private record DirectProducer(MessageListener listener) implements BenchmarkProducer {

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            listener.received(key, payload, 0);
            callback.acknowledged();
        }

        @Override
        public void close() {}
    }

    /** Compiles and loads the driver of OMB. */
    @Setup
    public void connect() throws Exception {
        Path jars = Files.createTempDirectory("omb-bridge");
        folder = jars;
        // A folder of classes serves as a jar.
        OmbDriver driver =
                new OmbFolder(jars, List.of(compile(jars)), getClass().getClassLoader()).driver(DRIVER);
        OmbConfig config = OmbConfig.of(new DriverSettings(Path.of("direct.yaml"), DRIVER, Mapping.empty()));
        DriverConnection opened = driver.connect(config, new DriverContext("run", Duration.ofSeconds(10), NO_EVENTS));
        connection = opened;
        TopicSpec topic = new TopicSpec("topic", 1);
        opened.createConsumers(List.of(new ConsumerSpec(0, topic, "subscription", count)));
        bridged = opened.createProducers(List.of(new ProducerSpec(0, topic))).get(0);
    }

    private static Path compile(Path work) throws IOException {
        Path classes = work.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", "", "-d", classes.toString()));
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = work.resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            String type = source.getKey();
            Files.writeString(file, "package " + type.substring(0, type.lastIndexOf('.')) + ";\n" + source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream(),
                        arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IllegalStateException("The driver cannot be compiled");
        }
        return classes;
    }

    private static final DriverEvents NO_EVENTS = new DriverEvents() {
        @Override
        public void clientError(String kind, Throwable cause) {
            throw new IllegalStateException(cause);
        }

        @Override
        public void fatal(Throwable cause) {
            throw new IllegalStateException(cause);
        }
    };

    /** Sends through the driver of OMB. */
    @Benchmark
    public long driverOfOmb() throws InterruptedException {
        bridged.send("key", payload, count);
        return count.calls;
    }

    /** Sends through the driver of the harness. */
    @Benchmark
    public long ownDriver() throws InterruptedException {
        own.send("key", payload, count);
        return count.calls;
    }

    /** Removes what was compiled. */
    @TearDown
    public void disconnect() throws Exception {
        bridged.close();
        if (connection != null) {
            connection.close();
        }
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
