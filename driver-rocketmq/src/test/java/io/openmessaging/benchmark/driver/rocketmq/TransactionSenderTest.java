package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.SendBudget;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.common.message.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionSenderTest {

    private static final int TRANSACTIONS = 2;

    private final FakeClient client = new FakeClient();
    private final TransactionSender sender = new TransactionSender(
            client, new RemotingMessages(new ProducerSpec(0, new TopicSpec("topic", 1)), List.of()), TRANSACTIONS);
    private final RocketMqProducer producer =
            new RocketMqProducer(new SendBudget(100, 1_000_000), sender, Duration.ofMillis(1), () -> {});
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @AfterEach
    void close() {
        client.mayAnswer.release(100);
        sender.close();
    }

    private void sendAsManyAsTransactions() throws Exception {
        for (int i = 0; i < TRANSACTIONS; i++) {
            producer.send(null, new byte[1], new RecordingCallback("message " + i));
        }
        Patience.until("all transactions to begin", () -> client.begun.get() == TRANSACTIONS);
    }

    /** Starts a thread that sends a message, and waits until the thread waits. */
    private Thread waitingSender(RecordingCallback callback) {
        Thread thread = new Thread(() -> {
            try {
                producer.send(null, new byte[1], callback);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        thread.start();
        Patience.until("the sender to wait", () -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    @Test
    void asManyMessagesAreInFlightAsThereMayBeTransactions() throws Exception {
        sendAsManyAsTransactions();
        RecordingCallback next = new RecordingCallback("next");
        Thread thread = waitingSender(next);
        client.mayAnswer.release();
        Patience.join(thread);
        client.mayAnswer.release(TRANSACTIONS);
        next.awaitAcknowledged(Patience.LIMIT);
        assertThat(client.begun.get()).isEqualTo(TRANSACTIONS + 1);
    }

    @Test
    void aMessageWhoseSenderIsInterruptedWhileItWaitsIsNotSent() throws Exception {
        sendAsManyAsTransactions();
        RecordingCallback next = new RecordingCallback("next");
        Thread thread = waitingSender(next);
        thread.interrupt();
        Patience.await("the exception", interrupted);
        Patience.join(thread);
        assertThat(next.calls()).isZero();
        assertThat(client.begun.get()).isEqualTo(TRANSACTIONS);
    }

    @Test
    void aTransactionThatFailsMakesRoomForTheNext() throws Exception {
        client.failing = true;
        client.mayAnswer.release(2 * TRANSACTIONS);
        for (int i = 0; i < 2 * TRANSACTIONS; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            producer.send(null, new byte[1], callback);
            assertThat(callback.awaitFailed(Patience.LIMIT)).hasMessage("refused");
        }
    }

    /** Answers as often as it is permitted to. */
    private static final class FakeClient extends TransactionMQProducer {

        private final Semaphore mayAnswer = new Semaphore(0);
        private final AtomicInteger begun = new AtomicInteger();
        private volatile boolean failing;

        FakeClient() {
            super("group");
        }

        @Override
        public TransactionSendResult sendMessageInTransaction(Message message, @Nullable Object argument) {
            begun.incrementAndGet();
            mayAnswer.acquireUninterruptibly();
            if (failing) {
                throw new IllegalStateException("refused");
            }
            TransactionSendResult result = new TransactionSendResult();
            result.setSendStatus(SendStatus.SEND_OK);
            return result;
        }

        @Override
        public void shutdown() {
            // Was not started.
        }
    }
}
