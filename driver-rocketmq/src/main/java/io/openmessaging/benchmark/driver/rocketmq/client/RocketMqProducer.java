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
 * One producer and its messages that nobody has answered yet. Sees to it that each is answered exactly once, whatever the
 * client does.
 */
public final class RocketMqProducer implements BenchmarkProducer {

    /** Hands messages to the client of one protocol. */
    @FunctionalInterface
    public interface Sender {

        /** What it throws has become of the message, unless the client has told before. */
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
     * No message yet.
     *
     * @param budget shared with other producers
     * @param closeLimit how long {@link #close} waits for answers
     * @param releaseClient lets the client go
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

    /** Complete once all have been answered; to be called when no more are begun. */
    CompletableFuture<Void> none() {
        return outstanding.none();
    }

    /** Fails all that is left. To be called when no more are begun. Returns once each has been answered. */
    void failAll(String reason) {
        DriverException failure = new DriverException(reason);
        List.copyOf(sends).forEach(send -> send.onException(failure));
        // Callbacks of others are being called, and they do not block.
        Deadline.in(CALLBACK_LIMIT).awaitEnd(none());
    }

    /** Waits for what is under way, unless interrupted, fails what is left, then lets the client go. */
    @Override
    public void close() {
        Deadline.in(closeLimit).awaitUnlessInterrupted(none());
        abort();
    }

    /** The same without waiting. */
    public void abort() {
        failAll("The producer was closed before RocketMQ had answered.");
        releaseClient.run();
    }

    private void remove(Send send) {
        sends.remove(send);
        budget.giveBack(send.bytes);
        outstanding.answered();
    }

    /** One message. It is what a remoting producer calls back. */
    public final class Send implements org.apache.rocketmq.client.producer.SendCallback {

        private final SendCallback callback;
        private final int bytes;
        private final AtomicBoolean answered = new AtomicBoolean();

        private Send(SendCallback callback, int bytes) {
            this.callback = callback;
            this.bytes = bytes;
        }

        /** Takes it back without calling anybody; returns whether nobody had been called. */
        boolean forget() {
            boolean first = answered.compareAndSet(false, true);
            if (first) {
                remove(this);
            }
            return first;
        }

        /** Whether nobody has answered it yet. */
        public boolean isUnderWay() {
            return !answered.get();
        }

        /** Answers it, unless somebody has. */
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
}
