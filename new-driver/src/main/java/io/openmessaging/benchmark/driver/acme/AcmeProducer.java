package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Publishes to one topic. */
final class AcmeProducer implements BenchmarkProducer {

    private final AcmeClient client;
    private final String topic;
    private final Partitions partitions;
    private final Duration timeout;
    private final Outstanding outstanding = new Outstanding();
    private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();

    AcmeProducer(AcmeClient client, ProducerSpec spec, Duration timeout) {
        this.client = client;
        this.topic = spec.topic().name();
        // Not needed for a client that chooses the partition itself.
        this.partitions = new Partitions(spec.topic().partitions(), spec.id());
        this.timeout = timeout;
    }

    /** Does not wait for the answer. A client that takes a callback needs fewer objects than one with futures. */
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) {
        outstanding.sent();
        CompletableFuture<?> answer = client.publish(topic, partitions.of(key), key, payload);
        unanswered.add(answer);
        CompletableFuture<?> unused = answer.whenComplete((done, error) -> {
            unanswered.remove(answer);
            if (error == null) {
                callback.acknowledged();
            } else {
                callback.failed(error);
            }
            outstanding.answered();
        });
    }

    /** Waits for the answers, and fails the messages that have none at the timeout or when interrupted. */
    @Override
    public void close() {
        Deadline.in(timeout).awaitUnlessInterrupted(outstanding.none());
        DriverException late = new DriverException("The producer was closed before the message was answered");
        unanswered.forEach(answer -> answer.completeExceptionally(late));
        // Callbacks that the client's thread is just calling.
        outstanding.none().join();
    }
}
