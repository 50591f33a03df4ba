package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real Kafka for the tests of one class. */
final class LocalKafka implements BeforeAllCallback, AfterAllCallback {

    private final int nodes;
    private @Nullable Path folder;
    private @Nullable RunningBroker broker;

    LocalKafka(int nodes) {
        this.nodes = nodes;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path home = Path.of(System.getProperty("benchmark.home"));
        folder = Files.createTempDirectory("driver-kafka-");
        broker = new KafkaLocalBroker()
                .start(new LocalBrokerOptions(
                        nodes,
                        null,
                        home,
                        folder.resolve("kafka"),
                        0,
                        LocalBrokerOptions.Lifetime.WITH_STARTER,
                        System.err::println,
                        Map.of()));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (broker != null) {
            broker.close();
        }
        if (folder != null) {
            Files.deleteIfExists(folder);
        }
    }

    List<String> addresses() {
        if (broker == null) {
            throw new IllegalStateException("The broker runs only during the tests of its class.");
        }
        return broker.addresses();
    }

    /** The same configuration, pointed to this broker. */
    KafkaConfig reach(KafkaConfig config) {
        return new KafkaBenchmarkDriver().withAddresses(config, addresses());
    }
}
