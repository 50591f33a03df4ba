package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Creates many clients one after the other, with the waits that a driver file asks for. All or nothing: when one fails,
 * the others are discarded.
 *
 * @param <T> what is created
 */
final class Creation<T> {

    private final int batchSize;
    private final int delayMs;
    private final Deadline deadline;
    private final Consumer<? super T> discard;

    /**
     * Not started yet.
     *
     * @param batchSize how many are created before a wait
     * @param delayMs the wait
     * @param discard releases one that was created before something failed
     */
    Creation(int batchSize, int delayMs, Deadline deadline, Consumer<? super T> discard) {
        this.batchSize = batchSize;
        this.delayMs = delayMs;
        this.deadline = deadline;
        this.discard = discard;
    }

    /** Creates one. */
    @FunctionalInterface
    interface Step<S, T> {

        T create(S spec) throws Exception;
    }

    /**
     * Creates one for each specification.
     *
     * @param kind what is created, for messages
     */
    <S> List<T> all(String kind, List<S> specs, Step<? super S, ? extends T> step)
            throws DriverException, InterruptedException {
        List<T> created = new ArrayList<>();
        boolean complete = false;
        try {
            for (S spec : specs) {
                if (delayMs > 0 && !created.isEmpty() && created.size() % batchSize == 0) {
                    pause();
                }
                String attempt = "create " + kind + " " + (created.size() + 1) + " of " + specs.size();
                created.add(CALLS.<T>run(attempt, deadline, () -> step.create(spec), discard, () -> {}));
            }
            complete = true;
            return created;
        } finally {
            if (!complete) {
                created.forEach(discard);
            }
        }
    }

    private void pause() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(TimeUnit.MILLISECONDS.toNanos(delayMs), deadline.leftNs()));
    }
}
