package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** One Kafka consumer and the thread that uses it, seen from the control thread. */
final class KafkaBenchmarkConsumer implements BenchmarkConsumer {

    /** Longer than the client takes to commit and to leave its group when nobody answers. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final ConsumerSpec spec;
    private final String groupId;
    private final Consumer<String, byte[]> client;
    private final Duration timeout;
    private final ConsumerState state = new ConsumerState();

    private KafkaBenchmarkConsumer(
            ConsumerSpec spec, String groupId, Consumer<String, byte[]> client, Duration timeout) {
        this.spec = spec;
        this.groupId = groupId;
        this.client = client;
        this.timeout = timeout;
    }

    /**
     * Takes the client over and starts the thread, which begins to join the group.
     *
     * @param groupId the group that the client is configured for
     * @param driverCommits whether offsets are to be committed, which the client then does not do itself
     */
    static KafkaBenchmarkConsumer start(
            ConsumerSpec spec,
            String groupId,
            Consumer<String, byte[]> client,
            boolean driverCommits,
            DriverContext context) {
        KafkaBenchmarkConsumer consumer = new KafkaBenchmarkConsumer(spec, groupId, client, context.timeout());
        PollLoop loop = new PollLoop(client, consumer.state, spec, driverCommits, context);
        KafkaCalls.THREADS.daemon(loop, "kafka-consumer-" + spec.id()).start();
        return consumer;
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
        return state.membership();
    }

    /** Throws why the consumer has ended by itself, if it has. */
    void throwIfFailed() throws DriverException {
        DriverException failure = state.failure();
        if (failure != null) {
            throw failure;
        }
    }

    /** To be called once all consumers are attached: from now on a failure ends the run. */
    void endAttaching() throws DriverException {
        state.endAttaching();
        throwIfFailed();
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        setPaused(true);
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        setPaused(false);
    }

    private void setPaused(boolean paused) throws DriverException, InterruptedException {
        state.wantPause(paused);
        client.wakeup();
        if (!state.awaitPaused(paused, Deadline.in(timeout))) {
            throwIfFailed();
            throw new DriverException("Waited " + timeout.toMillis() + " ms for consumer " + spec.id() + " to "
                    + (paused ? "pause" : "resume"));
        }
    }

    /** Returns once the group is left; the client is released after that, which {@link #awaitReleased} waits for. */
    @Override
    public void close() throws DriverException {
        stop();
        if (!awaitUninterruptibly(state::awaitLeft, Deadline.in(CLOSE_LIMIT))) {
            throw new DriverException(
                    "Waited " + CLOSE_LIMIT.toMillis() + " ms for consumer " + spec.id() + " to leave its group");
        }
    }

    /** Waits for a consumer that was closed; returns whether its client is released. */
    boolean awaitReleased(Deadline deadline) {
        return awaitUninterruptibly(state::awaitReleased, deadline);
    }

    private interface Wait {
        boolean until(Deadline deadline) throws InterruptedException;
    }

    /** An interrupt does not end the wait, which is short: while the thread runs, the listener may be called. */
    private static boolean awaitUninterruptibly(Wait wait, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.until(deadline);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void stop() {
        state.wantClose();
        client.wakeup();
    }

    /** Closes many in the time of one; a failure to close is added to the error that is the reason for it. */
    static void closeAll(List<KafkaBenchmarkConsumer> consumers, Throwable reason) {
        consumers.forEach(KafkaBenchmarkConsumer::stop);
        for (KafkaBenchmarkConsumer consumer : consumers) {
            try {
                consumer.close();
            } catch (DriverException e) {
                reason.addSuppressed(e);
            }
        }
    }
}
