package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Creates many clients one after the other, with the waits that a driver file asks for.
 *
 * @param kind what is created, for messages
 * @param batchSize how many are created before a wait
 * @param delayMs the wait
 */
record Creation(String kind, int batchSize, int delayMs, Deadline deadline) {

    static Creation ofProducers(RabbitMqConfig config, Deadline deadline) {
        return new Creation("producer", config.producerCreationBatchSize(), config.producerCreationDelay(), deadline);
    }

    static Creation ofConsumers(RabbitMqConfig config, Deadline deadline) {
        return new Creation("consumer", config.consumerCreationBatchSize(), config.consumerCreationDelay(), deadline);
    }

    /** Creates one. */
    @FunctionalInterface
    interface Step<S, T> {

        T create(S spec) throws Exception;
    }

    /**
     * Creates one for each specification, all or none.
     *
     * @param discard releases one that was created before something failed
     */
    <S, T> List<T> all(List<S> specs, Step<? super S, ? extends T> step, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        AtomicInteger created = new AtomicInteger();
        return ClientCreation.inTurn(
                specs,
                spec -> {
                    int before = created.getAndIncrement();
                    if (before > 0 && before % batchSize == 0) {
                        deadline.pause(Duration.ofMillis(delayMs));
                    }
                    String attempt = "create " + kind + " " + (before + 1) + " of " + specs.size();
                    return CALLS.<T>run(attempt, deadline, () -> step.create(spec), discard, () -> {});
                },
                discard);
    }
}
