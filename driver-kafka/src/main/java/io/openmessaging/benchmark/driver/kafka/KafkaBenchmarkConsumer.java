package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** One Kafka consumer and the thread that uses it, seen from the control thread. */
final class KafkaBenchmarkConsumer implements BenchmarkConsumer {

    /** Longer than the client takes to commit and to leave its group when nobody answers. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final ConsumerSpec spec;
    private final String groupId;
    private final PollLoop loop;
    private final Duration timeout;

    /**
     * Takes the client over and starts the thread, which begins to join the group.
     *
     * @param groupId the group that the client is configured for
     * @param driverCommits whether offsets are to be committed, which the client then does not do itself
     */
    KafkaBenchmarkConsumer(
            ConsumerSpec spec,
            String groupId,
            Consumer<String, byte[]> client,
            boolean driverCommits,
            DriverContext context) {
        this.spec = spec;
        this.groupId = groupId;
        this.timeout = context.timeout();
        this.loop = new PollLoop(client, spec, driverCommits, context);
        KafkaCalls.THREADS.daemon(loop, "kafka-consumer-" + spec.id()).start();
    }

    String groupId() {
        return groupId;
    }

    TopicSpec topic() {
        return spec.topic();
    }

    /** The place in the group; null while it is not known. */
    @Nullable
    Membership membership() {
        return loop.membership();
    }

    /** Throws why the consumer has ended by itself, if it has. */
    void throwIfFailed() throws DriverException {
        loop.throwIfFailed();
    }

    /** To be called once all consumers are attached: from now on a failure ends the run. */
    void endAttaching() throws DriverException {
        loop.endAttaching();
        loop.throwIfFailed();
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        await(loop.pause(true), "pause");
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        await(loop.pause(false), "resume");
    }

    /** Until the thread has done it, or has ended, which it may have by itself. */
    private void await(CompletableFuture<Void> done, String what) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        try {
            CompletableFuture.anyOf(done, loop.left()).get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Said below.
        }
        if (!done.isDone()) {
            loop.throwIfFailed();
            throw deadline.missed("consumer " + spec.id() + " to " + what, null);
        }
    }

    /** Returns once the group is left; the client is released after that, which {@link #awaitReleased} waits for. */
    @Override
    public void close() throws DriverException {
        loop.end();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        // An interrupt does not end the wait, which is short: while the thread runs, the listener may be called.
        if (!deadline.awaitEnd(loop.left())) {
            throw deadline.missed("consumer " + spec.id() + " to leave its group", null);
        }
    }

    /** Waits for a consumer that was closed; returns whether its client is released. */
    boolean awaitReleased(Deadline deadline) {
        return deadline.awaitEnd(loop.released());
    }

    /** Closes many in the time of one; a failure to close is added to the error that is the reason for it. */
    static void closeAll(List<KafkaBenchmarkConsumer> consumers, Throwable reason) {
        consumers.forEach(consumer -> consumer.loop.end());
        for (KafkaBenchmarkConsumer consumer : consumers) {
            try {
                consumer.close();
            } catch (DriverException e) {
                reason.addSuppressed(e);
            }
        }
    }
}
