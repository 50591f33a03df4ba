package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.junit.jupiter.api.Test;

class OutgoingMessageTest {

    private static final IOException ERROR = new IOException("the disk is full");

    private final Outstanding outstanding = new Outstanding();
    private final RecordingCallback callback = new RecordingCallback("the message");

    @Test
    void thePayloadIsCopied() {
        byte[] payload = {1, 2, 3};
        OutgoingMessage message = new OutgoingMessage(true, payload, callback, outstanding);
        Arrays.fill(payload, (byte) 9);

        ActiveMQBuffer body = message.getBodyBuffer();
        byte[] carried = new byte[body.readableBytes()];
        body.readBytes(carried);
        assertThat(carried).containsExactly(1, 2, 3);
        assertThat(message.isDurable()).isTrue();
    }

    @Test
    void theFirstAnswerCounts() {
        OutgoingMessage acknowledged = message();
        assertThat(outstanding.count()).isEqualTo(1);
        acknowledged.acknowledged();
        acknowledged.acknowledged();
        acknowledged.failed(ERROR);
        assertThat(acknowledged.withdraw()).isFalse();
        assertThat(callback.calls()).isEqualTo(1);
        assertThat(callback.acknowledgements()).isEqualTo(1);
        assertThat(outstanding.count()).isZero();

        OutgoingMessage failed = message();
        failed.failed(ERROR);
        failed.acknowledged();
        assertThat(callback.calls()).isEqualTo(2);
        assertThat(callback.failures()).containsExactly(ERROR);
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void whatIsWithdrawnIsNotAnswered() {
        OutgoingMessage message = message();
        assertThat(message.withdraw()).isTrue();
        message.acknowledged();
        message.failed(ERROR);
        assertThat(callback.calls()).isZero();
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void aMessageIsOutstandingUntilItsCallbackHasReturned() {
        long[] during = new long[1];
        OutgoingMessage message = new OutgoingMessage(
                true,
                new byte[1],
                new SendCallback() {
                    @Override
                    public void acknowledged() {
                        during[0] = outstanding.count();
                    }

                    @Override
                    public void failed(Throwable cause) {
                        during[0] = -1;
                    }
                },
                outstanding);
        message.acknowledged();
        assertThat(during[0]).isEqualTo(1);
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void oneOfTwoAnswersAtTheSameTimeCounts() throws Exception {
        int messages = 2_000;
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < messages; i++) {
                OutgoingMessage message = message();
                CountDownLatch start = new CountDownLatch(1);
                var failing = other.submit(() -> {
                    start.countDown();
                    message.failed(ERROR);
                });
                Patience.await("the other thread", start);
                message.acknowledged();
                Patience.get("the failure", failing);
                assertThat(callback.calls()).isEqualTo(i + 1);
            }
        } finally {
            other.shutdownNow();
        }
        assertThat(outstanding.count()).isZero();
    }

    private OutgoingMessage message() {
        return new OutgoingMessage(true, new byte[10], callback, outstanding);
    }
}
