package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;

/**
 * Sends in consecutive transactions: a session has one at a time. Messages are answered when their transaction is
 * committed. The send that completes a transaction waits for the commit; a separate thread commits a transaction that
 * is not completed in time.
 */
final class TransactedProducer implements BenchmarkProducer {

    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(3);

    private final BenchmarkProducer producer;
    private final ClientSession session;
    private final ArtemisTransaction limits;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, ArtemisCalls.THREADS.named("artemis-commit"));

    /** Held while using the session. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Callbacks of messages that are sent and not committed. */
    private final List<SendCallback> open = new ArrayList<>();

    private long transactions;

    /**
     * Takes ownership of the producer.
     *
     * @param producer the producer that answers each message as soon as it is sent
     * @param session the session of the producer, which does not commit by itself
     * @param timeout limit for the last commit on closing
     */
    TransactedProducer(BenchmarkProducer producer, ClientSession session, ArtemisTransaction limits, Duration timeout) {
        this.producer = producer;
        this.session = session;
        this.limits = limits;
        this.timeout = timeout;
        // Closing commits the open transaction, so the timer's thread need not wait for its delay.
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            producer.send(key, payload, new SendCallback() {
                @Override
                public void acknowledged() {
                    open.add(callback);
                }

                @Override
                public void failed(Throwable cause) {
                    callback.failed(cause);
                }
            });
            if (open.size() >= limits.messages()) {
                commit();
            } else if (open.size() == 1) {
                long transaction = transactions;
                Future<?> unused =
                        timer.schedule(() -> commit(transaction), limits.delay().toNanos(), TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Commits a transaction unless it is committed already. */
    private void commit(long transaction) {
        lock.lock();
        try {
            if (transaction == transactions) {
                commit();
            }
        } finally {
            lock.unlock();
        }
    }

    private void commit() {
        transactions++;
        List<SendCallback> sent = List.copyOf(open);
        open.clear();
        try {
            session.commit();
        } catch (ActiveMQException | RuntimeException e) {
            // If the connection is lost, it is unknown whether the commit happened. The client starts the next
            // transaction by itself.
            sent.forEach(callback -> callback.failed(e));
            keepInterrupt(e);
            return;
        }
        sent.forEach(SendCallback::acknowledged);
    }

    /** Keeps an interrupt for the next call: the sent messages are answered. */
    private static void keepInterrupt(Exception error) {
        try {
            ArtemisCalls.throwIfInterrupted(error);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void commitRest() {
        lock.lock();
        try {
            if (!open.isEmpty()) {
                commit();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws DriverException {
        timer.shutdown();
        boolean hurried = Thread.currentThread().isInterrupted();
        boolean committed = ArtemisCalls.runWithin(hurried ? RELEASE_LIMIT : timeout, this::commitRest);
        producer.close();
        // By now, a commit without an answer has failed with the session.
        if (!committed && !ArtemisCalls.runWithin(RELEASE_LIMIT, this::commitRest)) {
            throw new DriverException(
                    "Waited " + RELEASE_LIMIT.toMillis() + " ms after the end of a session for its commit");
        }
    }
}
