package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A producer with a Kafka client of its own that sends in transactions. The first message starts a transaction; a
 * separate thread commits it when it is full or old enough, and then answers all of its messages. Kafka's client takes
 * no messages meanwhile, so the sender waits for the end of the previous transaction, like an application that commits
 * by itself.
 */
public final class TransactionalProducer implements ReleasableProducer {

    /** Limit for the committing thread, once its client is closed and answers at once. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final Producer<String, byte[]> client;
    private final Records records;
    private final int maxMessages;
    private final Duration maxTime;
    private final Duration timeout;

    private final ReentrantLock lock = new ReentrantLock();

    /** For the committing thread: a transaction was started, or has to end. */
    private final Condition toCommit = lock.newCondition();

    /** For the sending thread: the previous transaction has ended. */
    private final Condition toSend = lock.newCondition();

    // Guarded by the lock.

    /** Null if no transaction was started since the last one. */
    private @Nullable Open open;

    private boolean committing;
    private boolean closing;

    /** Reason why no further transaction can start. */
    private @Nullable DriverException broken;

    /** Complete once all messages are answered and no more are accepted. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * Takes ownership of the client and starts the committing thread.
     *
     * @param id number for the name of the thread
     * @param client the client, initialized for transactions
     * @param records source of the records to send
     * @param maxMessages number of messages after which a transaction is committed, at least 1
     * @param maxTime longest time between its first message and the commit
     * @param timeout limit for closing, and for ending a transaction while the client reaches no broker
     */
    public TransactionalProducer(
            int id,
            Producer<String, byte[]> client,
            Records records,
            int maxMessages,
            Duration maxTime,
            Duration timeout) {
        this.client = client;
        this.records = records;
        this.maxMessages = maxMessages;
        this.maxTime = maxTime;
        this.timeout = timeout;
        KafkaCalls.THREADS.daemon(this::run, "kafka-committer-" + id).start();
    }

    /** A transaction, and the client's callback for all of its messages. */
    private static final class Open implements Callback {

        private final int maxMessages;
        private final Deadline due;

        /** Guarded by the lock until the transaction is taken for the commit. */
        private final List<SendCallback> messages = new ArrayList<>();

        /** The first error. Set by the client's thread, which must not wait for the lock. */
        private volatile @Nullable Exception failure;

        Open(int maxMessages, Duration maxTime) {
            this.maxMessages = maxMessages;
            this.due = Deadline.in(maxTime);
        }

        boolean isFull() {
            return messages.size() == maxMessages;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
            if (error != null && failure == null) {
                failure = error;
            }
        }
    }

    // Sending thread

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (committing || open != null && open.isFull()) {
                toSend.await();
            }
            if (broken != null) {
                callback.failed(broken);
            } else {
                add(key, payload, callback);
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        try {
            if (open == null) {
                client.beginTransaction();
                open = new Open(maxMessages, maxTime);
                toCommit.signal();
            }
            add(open, key, payload, callback);
        } catch (InterruptException e) {
            throw ReleasableProducer.interrupted(e);
        } catch (KafkaException e) {
            callback.failed(e);
        }
    }

    // The callback gets the same outcome as the future.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void add(Open transaction, @Nullable String key, byte[] payload, SendCallback callback) {
        try {
            client.send(records.of(key, payload), transaction);
            transaction.messages.add(callback);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            // The client accepts no more messages in this transaction and cannot commit the earlier ones either.
            transaction.onCompletion(null, e);
            throw e;
        } finally {
            if (mustEnd(transaction)) {
                toCommit.signal();
            }
        }
    }

    /** Returns whether a transaction has to end before its time. */
    private boolean mustEnd(Open transaction) {
        return closing || transaction.isFull() || transaction.failure != null;
    }

    // Committing thread

    private void run() {
        try {
            Open transaction = awaitDue();
            while (transaction != null) {
                @Nullable DriverException reason = end(transaction);
                release();
                answer(transaction, reason);
                transaction = awaitDue();
            }
        } catch (InterruptedException e) {
            // No code interrupts this thread; an open transaction would fail below.
            Thread.currentThread().interrupt();
        } finally {
            refuse();
            ended.complete(null);
        }
    }

    /** Waits until the open transaction has to end and takes it; null if there is none and none will follow. */
    private @Nullable Open awaitDue() throws InterruptedException {
        lock.lock();
        try {
            while (open != null || !closing) {
                Open transaction = open;
                if (transaction == null) {
                    toCommit.await();
                } else if (mustEnd(transaction) || transaction.due.hasPassed()) {
                    committing = true;
                    open = null;
                    return transaction;
                } else {
                    long unused = toCommit.awaitNanos(transaction.due.leftNs());
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        lock.lock();
        try {
            committing = false;
            toSend.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Commits, or aborts a transaction that cannot be committed. Returns the reason if not committed; null otherwise.
     */
    private @Nullable DriverException end(Open transaction) {
        if (transaction.failure == null) {
            try {
                untilAnswered(client::commitTransaction);
                return null;
            } catch (RuntimeException e) {
                transaction.onCompletion(null, e);
            }
        }
        Throwable cause = Objects.requireNonNull(transaction.failure);
        try {
            untilAnswered(client::abortTransaction);
            return new DriverException("The transaction was aborted: " + KafkaCalls.reason(cause), cause);
        } catch (RuntimeException e) {
            DriverException lost = new DriverException(
                    "The transaction could neither be committed nor aborted: " + KafkaCalls.reason(cause), e);
            breakWith(lost);
            return lost;
        }
    }

    /** Repeats a call: a client that reaches no broker times out and then requires the same call again. */
    private void untilAnswered(Runnable call) {
        Deadline deadline = Deadline.in(timeout);
        while (true) {
            try {
                call.run();
                return;
            } catch (TimeoutException e) {
                if (deadline.hasPassed()) {
                    throw e;
                }
            }
        }
    }

    private void breakWith(DriverException reason) {
        lock.lock();
        try {
            broken = reason;
        } finally {
            lock.unlock();
        }
    }

    private static void answer(Open transaction, @Nullable DriverException reason) {
        for (SendCallback callback : transaction.messages) {
            if (reason == null) {
                callback.acknowledged();
            } else {
                callback.failed(reason);
            }
        }
    }

    /** Fails the open transaction and all later messages. */
    private void refuse() {
        DriverException reason = new DriverException("The producer is closed");
        Open transaction;
        lock.lock();
        try {
            broken = reason;
            transaction = open;
            open = null;
        } finally {
            lock.unlock();
        }
        if (transaction != null) {
            answer(transaction, reason);
        }
        release();
    }

    // Closing

    @Override
    public void close() {
        askToEnd();
        Deadline.in(timeout).awaitUnlessInterrupted(ended);
        ReleasableProducer.release(client, ended.isDone() ? timeout : Duration.ZERO);
        // Without its client, the committing thread fails the messages that it holds.
        Deadline.in(END_LIMIT).awaitEnd(ended);
    }

    @Override
    public void abort() {
        askToEnd();
        client.close(Duration.ZERO);
    }

    private void askToEnd() {
        lock.lock();
        try {
            closing = true;
            toCommit.signal();
        } finally {
            lock.unlock();
        }
    }
}
