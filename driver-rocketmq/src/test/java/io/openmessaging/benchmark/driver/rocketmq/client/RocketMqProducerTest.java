package io.openmessaging.benchmark.driver.rocketmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer.NotStoredException;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RocketMqProducerTest {

    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final RocketMqProducer sends =
            new RocketMqProducer(new SendBudget(2, 10_000), (key, payload, send) -> {}, AT_ONCE, () -> {});
    private final RecordingCallback callback = new RecordingCallback("the message");

    @Test
    void aMessageThatIsStoredIsAcknowledged() throws Exception {
        sends.begin(callback, 1).onSuccess(result(SendStatus.SEND_OK));
        assertThat(callback.acknowledgements()).isEqualTo(1);
        assertThat(callback.calls()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "FLUSH_DISK_TIMEOUT, FLUSH_DISK_TIMEOUT: the broker did not flush the message to disk in time",
        "FLUSH_SLAVE_TIMEOUT, FLUSH_SLAVE_TIMEOUT: the broker's replicas did not get the message in time",
        "SLAVE_NOT_AVAILABLE, SLAVE_NOT_AVAILABLE: the broker has no replica that can store the message",
    })
    void anyOtherStatusIsAFailureThatNamesIt(SendStatus status, String message) throws Exception {
        sends.begin(callback, 1).onSuccess(result(status));
        assertThat(callback.failures()).singleElement().isInstanceOf(NotStoredException.class);
        assertThat(callback.failures().get(0)).hasMessage(message);
    }

    @Test
    void aSecondAnswerIsNotPassedOn() throws Exception {
        RocketMqProducer.Send send = sends.begin(callback, 1);
        send.onException(new IllegalStateException("first"));
        send.onSuccess(result(SendStatus.SEND_OK));
        send.onException(new IllegalStateException("third"));
        assertThat(callback.calls()).isEqualTo(1);
        assertThat(callback.failures())
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("first");
    }

    @Test
    void whatIsLeftCanBeFailed() throws Exception {
        RocketMqProducer.Send send = sends.begin(callback, 1);
        assertThat(sends.none()).isNotDone();
        sends.failAll("closed");
        send.acknowledged();
        assertThat(callback.failures())
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("closed");
        assertThat(callback.calls()).isEqualTo(1);
        assertThat(sends.none()).isCompleted();
    }

    @Test
    void theLastAnswerEndsTheWait() throws Exception {
        RocketMqProducer.Send send = sends.begin(callback, 1);
        Thread answer = new Thread(send::acknowledged);
        answer.start();
        Patience.get("the last answer", sends.none());
        Patience.join(answer);
    }

    @Test
    void theWaitEndsOnlyWhenTheCallbackHasReturned() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        RocketMqProducer.Send send = sends.begin(
                new SendCallback() {
                    @Override
                    public void acknowledged() {
                        called.countDown();
                        try {
                            mayReturn.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }

                    @Override
                    public void failed(Throwable cause) {
                        throw new AssertionError(cause);
                    }
                },
                1);
        Thread answer = new Thread(send::acknowledged);
        answer.start();
        Patience.await("the callback", called);
        assertThat(sends.none()).isNotDone();
        mayReturn.countDown();
        Patience.get("the last answer", sends.none());
        Patience.join(answer);
    }

    @Test
    void aThirdMessageWaitsUntilOneOfTwoIsAnswered() throws Exception {
        RocketMqProducer.Send first = sends.begin(callback, 1);
        sends.begin(new RecordingCallback("second"), 1);
        assertNextWaitsFor(first, 1);
    }

    @Test
    void bytesAreBoundedToo() throws Exception {
        RocketMqProducer.Send large = sends.begin(callback, 9_000);
        assertNextWaitsFor(large, 2_000);
    }

    @Test
    void aMessageLargerThanTheBudgetIsAlone() throws Exception {
        RocketMqProducer.Send huge = sends.begin(callback, 1_000_000);
        assertNextWaitsFor(huge, 1);
    }

    private void assertNextWaitsFor(RocketMqProducer.Send before, int bytes) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Thread sender = new Thread(() -> {
            try {
                sends.begin(new RecordingCallback("next"), bytes);
                begun.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        sender.start();
        Patience.until("the sender to wait", () -> WAITING.contains(sender.getState()));
        assertThat(begun.getCount()).as("begun too early").isEqualTo(1);
        before.acknowledged();
        Patience.await("the begin after the answer", begun);
        Patience.join(sender);
    }

    private static SendResult result(SendStatus status) {
        SendResult result = new SendResult();
        result.setSendStatus(status);
        return result;
    }
}
