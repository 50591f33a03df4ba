package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.pulsar.Transactions.TransactionOpener;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.jspecify.annotations.Nullable;

/** Creates the producers of a connection. Thread-safe. */
final class ProducerFactory {

    private final PulsarClient client;
    private final RunNamespace namespace;
    private final ProducerConfig config;
    private final Duration timeout;

    /** Timer of all transactions; null if there are none. */
    private final @Nullable ScheduledThreadPoolExecutor clock;

    /**
     * Creates nothing yet.
     *
     * @param timeout time limit for a closing producer to send what it holds, and for opening a transaction
     */
    ProducerFactory(PulsarClient client, RunNamespace namespace, ProducerConfig config, Duration timeout) {
        this.client = client;
        this.namespace = namespace;
        this.config = config;
        this.timeout = timeout;
        this.clock = config.transaction() == null ? null : clock();
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock =
                new ScheduledThreadPoolExecutor(1, PulsarCalls.THREADS.named("pulsar-transactions"));
        // Most transactions are full before their time is over, so their timers are cancelled.
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    /** Starts to create a producer. */
    CompletableFuture<PulsarBenchmarkProducer> create(ProducerSpec spec) {
        return PulsarClients.producer(client, namespace.topic(spec.topic()), config)
                .createAsync()
                .thenCompose(created -> ready(spec, created));
    }

    private CompletableFuture<PulsarBenchmarkProducer> ready(ProducerSpec spec, Producer<byte[]> created) {
        PulsarBenchmarkProducer producer = new PulsarBenchmarkProducer(
                created,
                spec.topic().name(),
                MessageExtras.of(spec, config.deliverAfter()),
                transactions(spec),
                timeout);
        return producer.ready()
                .exceptionallyCompose(error -> producer.abandon()
                        .handle((nothing, ignored) -> error)
                        .thenCompose(CompletableFuture::failedFuture));
    }

    private @Nullable Transactions transactions(ProducerSpec spec) {
        return config.transaction() == null || clock == null
                ? null
                : new Transactions(
                        new TransactionOpener(client, namespace.partitions(spec.topic())),
                        config.transaction(),
                        clock,
                        timeout,
                        Transactions.SHELF_LIFE);
    }

    /** Stops the timer; the producers are closed by now. */
    void close() {
        if (clock != null) {
            clock.shutdownNow();
        }
    }
}
