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
 * One Kafka producer that sends in transactions. The first message begins one; a thread of its own commits it when it is
 * full or old enough, and then answers all of its messages. Kafka's client takes no messages meanwhile, so who sends
 * waits for the end of the transaction before, as an application does that commits itself.
 */
public final class TransactionalProducer implements ReleasableProducer {

    /** For the committing thread, once its client is closed and answers at once. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final Producer<String, byte[]> client;
    private final Records records;
    private final int maxMessages;
    private final Duration maxTime;
    private final Duration timeout;

    private final ReentrantLock lock = new ReentrantLock();

    /** For the thread that commits: a transaction was begun, or is to end. */
    private final Condition toCommit = lock.newCondition();

    /** For the thread that sends: the transaction before has ended. */
    private final Condition toSend = lock.newCondition();

    // Guarded by the lock.

    /** Null if none was begun since the last one. */
    private @Nullable Open open;

    private boolean committing;
    private boolean closing;

    /** Why no further transaction can be begun. */
    private @Nullable DriverException broken;

    /** Complete when all messages are answered and none is taken any more. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * Takes the client over and starts the thread that commits.
     *
     * @param id for the name of the thread
     * @param client initialized for transactions
     * @param records what is sent
     * @param maxMessages after how many messages a transaction is committed, at least 1
     * @param maxTime how long after its first message it is committed at the latest
     * @param timeout the limit for closing, and for ending a transaction while the client sees no broker
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

    /** A transaction, and the client's callback of all of its messages. */
    private static final class Open implements Callback {

        private final int maxMessages;
        private final Deadline due;

        /** Guarded by the lock until it is taken to be committed. */
        private final List<SendCallback> messages = new ArrayList<>();

        /** The first error. The client's thread tells it, which must not wait for the lock. */
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

    // The thread that sends

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

    // The callback tells what the future would.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void add(Open transaction, @Nullable String key, byte[] payload, SendCallback callback) {
        try {
            client.send(records.of(key, payload), transaction);
            transaction.messages.add(callback);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            // The client takes no more in this transaction; the others of it cannot be committed either.
            transaction.onCompletion(null, e);
            throw e;
        } finally {
            if (mustEnd(transaction)) {
                toCommit.signal();
            }
        }
    }

    /** Whether a transaction has to end before its time. */
    private boolean mustEnd(Open transaction) {
        return closing || transaction.isFull() || transaction.failure != null;
    }

    // The thread that commits

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
            // Nobody does that; what is open then fails below.
            Thread.currentThread().interrupt();
        } finally {
            refuse();
            ended.complete(null);
        }
    }

    /** Waits until the open transaction has to end and takes it; null if there is none and none will come. */
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

    /** Commits, or aborts what cannot be committed. Returns why it was not committed; null if it was. */
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

    /** The client gives up while it sees no broker, and then wants the same call again. */
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

    /** Fails what is open, and whatever is sent after the end. */
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
        // Without its client, the thread that commits fails what it holds.
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
