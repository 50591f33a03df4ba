package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.pulsar.ProducerConfig.TransactionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A transaction and its messages, which share one outcome. It is committed when it is full or its time is over. One
 * thread sends, another one runs the timer, and the client reports outcomes on any thread: the lock serializes them.
 */
final class TransactionGroup implements BiConsumer<@Nullable MessageId, @Nullable Throwable> {

    private final Transaction transaction;
    private final TransactionConfig config;
    private final ScheduledExecutorService clock;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private List<SendCompletion> messages = new ArrayList<>();
    private @Nullable ScheduledFuture<?> alarm;
    private boolean closed;

    /**
     * Reason that a message of it failed; the first one counts. Not under the lock, which the sending thread holds
     * while it waits for room: only answers to other messages can make room.
     */
    private volatile @Nullable Throwable failure;

    /**
     * Starts empty.
     *
     * @param clock timer that closes the transaction when its time is over
     */
    TransactionGroup(Transaction transaction, TransactionConfig config, ScheduledExecutorService clock) {
        this.transaction = transaction;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Sends a message in this transaction; may wait for room in the client's buffers.
     *
     * @return false if nothing was sent, because the transaction is closed
     */
    // The stage that whenComplete returns would only repeat what this object receives.
    @SuppressWarnings("FutureReturnValueIgnored")
    synchronized boolean send(
            Producer<byte[]> client,
            MessageExtras extras,
            @Nullable String key,
            byte[] payload,
            SendCompletion outcome) {
        if (closed) {
            return false;
        }
        if (messages.isEmpty()) {
            alarm = clock.schedule(this::close, config.maxTime().toNanos(), TimeUnit.NANOSECONDS);
        }
        messages.add(outcome);
        outcome.outstanding().sent();
        extras.fill(client.newMessage(transaction), key, payload).sendAsync().whenComplete(this);
        if (messages.size() == config.messages()) {
            close();
        }
        return true;
    }

    /** Records a failure, which is the outcome of all messages; a stored message has no outcome yet. */
    @Override
    public void accept(@Nullable MessageId id, @Nullable Throwable error) {
        if (error != null && failure == null) {
            failure = error;
        }
    }

    /** Accepts no more messages and commits; the client aborts instead if a message has failed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (alarm != null) {
            alarm.cancel(false);
        }
        transaction.commit().whenComplete((nothing, error) -> answer(error));
    }

    /** Answers all unanswered messages; later messages are not sent in this transaction. */
    void answer(@Nullable Throwable error) {
        List<SendCompletion> unanswered;
        synchronized (this) {
            closed = true;
            unanswered = messages;
            messages = List.of();
        }
        @Nullable Throwable cause = error == null ? null : uncommitted(error);
        unanswered.forEach(message -> message.answer(cause));
        end.complete(null);
    }

    private DriverException uncommitted(Throwable error) {
        @Nullable Throwable first = failure;
        Throwable reason = first == null ? error : first;
        return PulsarCalls.CALLS.refused("commit the transaction that holds the message", reason);
    }

    /** Returns a future that completes once all messages are answered. */
    CompletableFuture<Void> end() {
        return end;
    }
}
