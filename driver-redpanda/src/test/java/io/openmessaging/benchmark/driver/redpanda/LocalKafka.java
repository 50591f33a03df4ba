package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/** One Apache Kafka for all test classes of this module, as a stand-in that speaks Redpanda's protocol. */
final class LocalKafka implements BeforeAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(LocalKafka.class);

    private static volatile @Nullable Started started;

    private record Started(Path folder, RunningBroker broker) implements AutoCloseable {

        static Started start() {
            try {
                Path home = Path.of(System.getProperty("benchmark.home"));
                Path folder = Files.createTempDirectory("driver-redpanda-");
                LocalBrokerOptions options = new LocalBrokerOptions(
                        1,
                        null,
                        home,
                        folder.resolve("kafka"),
                        0,
                        LocalBrokerOptions.Lifetime.WITH_STARTER,
                        System.err::println,
                        Map.of());
                return new Started(folder, new KafkaLocalBroker().start(options));
            } catch (Exception e) {
                throw new IllegalStateException("no local Kafka could be started", e);
            }
        }

        @Override
        public void close() {
            broker.close();
            try {
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getRoot()
                .getStore(StoreScope.EXECUTION_REQUEST, NAMESPACE)
                .computeIfAbsent("kafka", key -> Started.start(), Started.class);
    }

    static List<String> addresses() {
        return Objects.requireNonNull(started, "started before the tests")
                .broker()
                .addresses();
    }

    /** A configuration that takes it for a Redpanda with this Admin API. */
    static RedpandaConfig config(List<String> adminApi) {
        return new RedpandaBenchmarkDriver().withAddresses(Configs.withAdminApi(adminApi), addresses());
    }
}
