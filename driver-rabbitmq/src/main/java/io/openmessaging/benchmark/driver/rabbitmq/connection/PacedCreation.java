package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Creates many clients, several at a time, with the pauses that a driver file requests.
 *
 * @param kind the kind of client, for messages
 * @param batchSize number of clients created before a pause
 * @param delayMs the pause
 */
public record PacedCreation(String kind, int batchSize, int delayMs, Deadline deadline) {

    public static PacedCreation ofProducers(RabbitMqConfig config, Deadline deadline) {
        return new PacedCreation(
                "producer", config.producerCreationBatchSize(), config.producerCreationDelay(), deadline);
    }

    public static PacedCreation ofConsumers(RabbitMqConfig config, Deadline deadline) {
        return new PacedCreation(
                "consumer", config.consumerCreationBatchSize(), config.consumerCreationDelay(), deadline);
    }

    /** A call that creates one client. */
    @FunctionalInterface
    public interface CreateCall<S, T> {

        /** Creates a client. */
        T create(S spec) throws Exception;
    }

    /**
     * Creates one client per specification, all or none.
     *
     * @param discard releases a client that was created before a failure
     */
    public <S, T> List<T> all(List<S> specs, CreateCall<? super S, ? extends T> step, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        int atOnce = delayMs == 0 ? Math.max(1, specs.size()) : batchSize;
        List<T> created = new ArrayList<>();
        boolean complete = false;
        try {
            for (int from = 0; from < specs.size(); from += atOnce) {
                if (from > 0) {
                    deadline.pause(Duration.ofMillis(delayMs));
                }
                created.addAll(batch(specs, from, Math.min(specs.size(), from + atOnce), step, discard));
            }
            complete = true;
            return created;
        } finally {
            if (!complete) {
                created.forEach(discard);
            }
        }
    }

    private <S, T> List<T> batch(
            List<S> specs, int from, int to, CreateCall<? super S, ? extends T> step, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        AtomicInteger before = new AtomicInteger(from);
        return new ManyCalls<T>(CALLS, "create " + kind + "s", ManyCalls.SEVERAL, ManyCalls.each(discard))
                .all(
                        specs.subList(from, to),
                        spec -> {
                            String attempt = "create " + kind + " " + before.incrementAndGet() + " of " + specs.size();
                            return CALLS.<T>run(attempt, deadline, () -> step.create(spec), discard, () -> {});
                        },
                        deadline);
    }
}
