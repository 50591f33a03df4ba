package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A real RocketMQ, shared by all test classes; it ends when the last of them has. */
final class LocalRocketMq implements BeforeAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(LocalRocketMq.class);

    private @Nullable Started started;

    /** The broker and its folder. */
    record Started(RunningBroker broker, Path folder) implements AutoCloseable {

        static Started start(Map<String, String> settings) {
            try {
                Path folder = Files.createTempDirectory("driver-rocketmq-");
                RunningBroker broker = new RocketMqLocalBroker()
                        .start(new LocalBrokerOptions(
                                1,
                                null,
                                Path.of(System.getProperty("benchmark.home")),
                                folder.resolve("rocketmq"),
                                0,
                                LocalBrokerOptions.Lifetime.WITH_STARTER,
                                System.err::println,
                                settings));
                return new Started(broker, folder);
            } catch (Exception e) {
                throw new IllegalStateException("RocketMQ could not be started: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            broker.close();
            Files.deleteIfExists(folder);
        }

        /** The same configuration, pointed to this broker. */
        RocketMqConfig reach(RocketMqConfig config) {
            RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
            RocketMqConfig reached = driver.withAddresses(config, broker.addresses());
            for (Map.Entry<String, List<String>> endpoint : broker.endpoints().entrySet()) {
                reached = driver.withEndpoint(reached, endpoint.getKey(), endpoint.getValue());
            }
            return reached;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent("broker", key -> Started.start(Map.of()), Started.class);
    }

    private Started started() {
        if (started == null) {
            throw new IllegalStateException("The broker runs only during the tests of its class.");
        }
        return started;
    }

    RocketMqConfig reach(RocketMqConfig config) {
        return started().reach(config);
    }

    List<String> addresses() {
        return started().broker().addresses();
    }
}
