package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real RabbitMQ. Classes that ask for the same settings share one, which is started for the first of them and stopped
 * when all tests are done.
 */
final class LocalRabbitMq implements BeforeAllCallback {

    /** What a message may have, in the shared broker; smaller than RabbitMQ's own limit, so that tests can pass it. */
    static final int MAX_MESSAGE_BYTES = 1_000_000;

    private final Setup setup;
    private @Nullable Running running;

    private LocalRabbitMq(int nodes, Map<String, String> settings) {
        this.setup = new Setup(nodes, settings);
    }

    /** What makes one broker different from another. */
    private record Setup(int nodes, Map<String, String> settings) {}

    /** The one that most classes use. */
    static LocalRabbitMq shared() {
        return new LocalRabbitMq(1, Map.of("max_message_size", Integer.toString(MAX_MESSAGE_BYTES)));
    }

    /** One with other entries of its configuration. */
    static LocalRabbitMq with(Map<String, String> settings) {
        return new LocalRabbitMq(1, settings);
    }

    /** Several nodes that are one cluster. */
    static LocalRabbitMq cluster(int nodes) {
        return new LocalRabbitMq(nodes, Map.of());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(LocalRabbitMq.class))
                .computeIfAbsent(setup, Running::start, Running.class);
    }

    /** The broker and its folder; JUnit closes what is in its store in the end. */
    private record Running(RunningBroker broker, Path folder) implements AutoCloseable {

        static Running start(Setup setup) {
            try {
                Path folder = Files.createTempDirectory("driver-rabbitmq-");
                LocalBrokerOptions options = new LocalBrokerOptions(
                        setup.nodes(),
                        null,
                        Path.of(System.getProperty("benchmark.home")),
                        folder.resolve("rabbitmq"),
                        0,
                        LocalBrokerOptions.Lifetime.WITH_STARTER,
                        System.err::println,
                        setup.settings());
                return new Running(new RabbitMqLocalBroker().start(options), folder);
            } catch (Exception e) {
                throw new IllegalStateException("RabbitMQ could not be started: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            broker.close();
            Files.deleteIfExists(folder);
        }
    }

    private RunningBroker broker() {
        if (running == null) {
            throw new IllegalStateException("The broker runs only during the tests of its class.");
        }
        return running.broker();
    }

    /** {@code host:port} of AMQP on the first node. */
    String address() {
        return broker().addresses().get(0);
    }

    /** {@code host:port} of the stream protocol on the first node. */
    String streamAddress() {
        return streamAddresses().get(0);
    }

    private List<String> streamAddresses() {
        return broker().endpoints().getOrDefault("stream", List.of());
    }

    /** A configuration that points to this broker, with these keys and values. */
    RabbitMqConfig config(Object... keysAndValues) {
        return reach(TestConfigs.of(keysAndValues));
    }

    /** The same configuration, pointed to this broker the way the framework does it. */
    RabbitMqConfig reach(RabbitMqConfig config) {
        RabbitMqBenchmarkDriver driver = new RabbitMqBenchmarkDriver();
        return driver.withEndpoint(driver.withAddresses(config, broker().addresses()), "stream", streamAddresses());
    }
}
