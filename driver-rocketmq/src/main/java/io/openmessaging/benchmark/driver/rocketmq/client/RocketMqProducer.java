package io.openmessaging.benchmark.driver.rocketmq.client;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.jspecify.annotations.Nullable;

/**
 * One producer and its unanswered messages. Ensures that each message is answered exactly once, whatever the client
 * does.
 */
public final class RocketMqProducer implements BenchmarkProducer {

    /** Passes messages to the client of one protocol. */
    @FunctionalInterface
    public interface Sender {

        /** Sends a message. An exception is the outcome of the message, unless the client has already reported one. */
        void send(@Nullable String key, byte[] payload, Send send) throws Exception;
    }

    private static final Duration CALLBACK_LIMIT = Duration.ofSeconds(1);

    private final SendBudget budget;
    private final Sender sender;
    private final Duration closeLimit;
    private final Runnable releaseClient;
    private final Set<Send> sends = ConcurrentHashMap.newKeySet();
    private final Outstanding outstanding = new Outstanding();

    /**
     * Creates a producer without messages.
     *
     * @param budget budget shared with other producers
     * @param closeLimit time for which {@link #close} waits for answers
     * @param releaseClient releases the client
     */
    public RocketMqProducer(SendBudget budget, Sender sender, Duration closeLimit, Runnable releaseClient) {
        this.budget = budget;
        this.sender = sender;
        this.closeLimit = closeLimit;
        this.releaseClient = releaseClient;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        Send send = begin(callback, payload.length);
        try {
            sender.send(key, payload, send);
        } catch (InterruptedException e) {
            if (send.forget()) {
                throw e;
            }
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            send.onException(e);
        }
    }

    /** Adds a message; waits while the budget is used up. */
    Send begin(SendCallback callback, int bytes) throws InterruptedException {
        budget.take(bytes);
        Send send = new Send(callback, bytes);
        sends.add(send);
        outstanding.sent();
        return send;
    }

    /** Returns a future that completes once all messages are answered; to be called when no more are started. */
    CompletableFuture<Void> none() {
        return outstanding.none();
    }

    /** Fails all unanswered messages. To be called when no more are started. Returns once each has been answered. */
    void failAll(String reason) {
        DriverException failure = new DriverException(reason);
        List.copyOf(sends).forEach(send -> send.onException(failure));
        // Other threads may be in callbacks at present, which do not block.
        Deadline.in(CALLBACK_LIMIT).awaitEnd(none());
    }

    /** Waits for the messages in flight, unless interrupted, fails the rest, then releases the client. */
    @Override
    public void close() {
        Deadline.in(closeLimit).awaitUnlessInterrupted(none());
        abort();
    }

    /** Fails the messages in flight and releases the client, without a wait. */
    public void abort() {
        failAll("The producer was closed before RocketMQ had answered.");
        releaseClient.run();
    }

    private void remove(Send send) {
        sends.remove(send);
        budget.giveBack(send.bytes);
        outstanding.answered();
    }

    /** One message, which a remoting producer uses as its callback. */
    public final class Send implements org.apache.rocketmq.client.producer.SendCallback {

        private final SendCallback callback;
        private final int bytes;
        private final AtomicBoolean answered = new AtomicBoolean();

        private Send(SendCallback callback, int bytes) {
            this.callback = callback;
            this.bytes = bytes;
        }

        /** Withdraws the message without a callback; returns whether it had no answer yet. */
        boolean forget() {
            boolean first = answered.compareAndSet(false, true);
            if (first) {
                remove(this);
            }
            return first;
        }

        /** Acknowledges the message, unless it has an answer. */
        public void acknowledged() {
            if (answered.compareAndSet(false, true)) {
                callback.acknowledged();
                remove(this);
            }
        }

        @Override
        public void onSuccess(SendResult result) {
            SendStatus status = result.getSendStatus();
            if (status == SendStatus.SEND_OK) {
                acknowledged();
            } else {
                onException(new NotStoredException(status));
            }
        }

        @Override
        public void onException(Throwable cause) {
            if (answered.compareAndSet(false, true)) {
                callback.failed(RocketMqCalls.explained(cause));
                remove(this);
            }
        }
    }

    /**
     * Thrown if a broker has accepted a message but did not store it as safely as its settings guarantee: RocketMQ
     * reports that as a success with a status. Has no stack trace, since there may be thousands a second.
     */
    static final class NotStoredException extends Exception {

        private static final long serialVersionUID = 1L;

        NotStoredException(SendStatus status) {
            super(status.name() + ": " + meaning(status), null, false, false);
        }

        private static String meaning(SendStatus status) {
            return switch (status) {
                case FLUSH_DISK_TIMEOUT -> "the broker did not flush the message to disk in time";
                case FLUSH_SLAVE_TIMEOUT -> "the broker's replicas did not get the message in time";
                case SLAVE_NOT_AVAILABLE -> "the broker has no replica that can store the message";
                case SEND_OK -> throw new IllegalArgumentException("stored");
            };
        }
    }
}
