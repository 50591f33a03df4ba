package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.MessageType;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.SendBudget;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.message.MessageId;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.apache.rocketmq.client.apis.producer.RecallReceipt;
import org.apache.rocketmq.client.apis.producer.SendReceipt;
import org.apache.rocketmq.client.apis.producer.Transaction;
import org.apache.rocketmq.client.java.impl.ClientServiceProviderImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcSenderTest {

    private final FakeClient client = new FakeClient();
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private RocketMqProducer producer(MessageType type) {
        RocketMqConfig config = TestConfigs.of(Map.of("protocol", Protocol.GRPC, "messageType", type));
        ProducerSpec spec = new ProducerSpec(0, new TopicSpec("topic", 1));
        GrpcSender sender = new GrpcSender(new ClientServiceProviderImpl(), client, spec, 1, config);
        return new RocketMqProducer(new SendBudget(100, 1_000_000), sender, Duration.ofMillis(1), () -> {});
    }

    private static RecordingCallback send(RocketMqProducer producer, @Nullable String key) throws Exception {
        RecordingCallback callback = new RecordingCallback("a message with key " + key);
        producer.send(key, new byte[1], callback);
        return callback;
    }

    /** Starts a thread that sends a message, and waits until the thread waits. */
    private Thread waitingSender(RocketMqProducer producer, RecordingCallback callback) {
        Thread sender = new Thread(() -> {
            try {
                producer.send("other key", new byte[1], callback);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        sender.start();
        Patience.until("the sender to wait", () -> sender.getState() == Thread.State.WAITING);
        return sender;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageWithAKeyIsSentWhenThePreviousOneOfItsPartitionIsAnswered(boolean stored) throws Exception {
        RocketMqProducer producer = producer(MessageType.FIFO);
        RecordingCallback first = send(producer, "key");
        RecordingCallback second = new RecordingCallback("second");
        Thread sender = waitingSender(producer, second);
        assertThat(client.answers).hasSize(1);
        client.answer(0, stored);
        Patience.join(sender);
        assertThat(first.acknowledgements()).isEqualTo(stored ? 1 : 0);
        assertThat(first.calls()).isEqualTo(1);
        assertThat(client.answers).hasSize(2);
        client.answer(1, true);
        assertThat(second.acknowledgements()).isEqualTo(1);
    }

    @Test
    void aMessageWhoseSenderIsInterruptedWhileItWaitsIsNotSent() throws Exception {
        RocketMqProducer producer = producer(MessageType.FIFO);
        send(producer, "key");
        RecordingCallback second = new RecordingCallback("second");
        Thread sender = waitingSender(producer, second);
        sender.interrupt();
        Patience.await("the exception", interrupted);
        Patience.join(sender);
        client.answer(0, true);
        assertThat(second.calls()).isZero();
        send(producer, "key");
        assertThat(client.answers).hasSize(2);
    }

    @Test
    void aMessageThatTheClientRefusesDoesNotStopTheNext() throws Exception {
        RocketMqProducer producer = producer(MessageType.FIFO);
        client.refusing = true;
        assertThat(send(producer, "key").failures()).hasSize(1);
        client.refusing = false;
        send(producer, "key");
        assertThat(client.answers).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void messagesWithoutAKeyAreInFlightSideBySide(MessageType type) throws Exception {
        RocketMqProducer producer = producer(type);
        send(producer, null);
        send(producer, null);
        assertThat(client.answers).hasSize(2);
    }

    /** Answers when told to. */
    private static final class FakeClient implements Producer {

        private final List<CompletableFuture<SendReceipt>> answers = new CopyOnWriteArrayList<>();
        private volatile boolean refusing;

        void answer(int message, boolean stored) {
            if (stored) {
                answers.get(message).complete(new Stored());
            } else {
                answers.get(message).completeExceptionally(new IllegalStateException("refused"));
            }
        }

        @Override
        public CompletableFuture<SendReceipt> sendAsync(Message message) {
            if (refusing) {
                throw new IllegalStateException("refused at once");
            }
            CompletableFuture<SendReceipt> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        }

        @Override
        public SendReceipt send(Message message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SendReceipt send(Message message, Transaction transaction) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Transaction beginTransaction() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RecallReceipt recallMessage(String topic, String recallHandle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<RecallReceipt> recallMessageAsync(String topic, String recallHandle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Has nothing to release.
        }
    }

    private static final class Stored implements SendReceipt {

        @Override
        public MessageId getMessageId() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getRecallHandle() {
            throw new UnsupportedOperationException();
        }
    }
}
