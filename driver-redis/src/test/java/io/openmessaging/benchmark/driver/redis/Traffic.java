package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.ReceivedMessage;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Numbered messages, sent and looked for. */
final class Traffic {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Traffic() {}

    /** Sends messages with keys and waits until all are acknowledged. */
    static void send(BenchmarkProducer producer, int from, int until, int bytes) throws InterruptedException {
        for (RecordingCallback callback : submit(producer, from, until, bytes)) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    /** Sends messages with keys. */
    static List<RecordingCallback> submit(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i, NumberedPayload.of(i, bytes), callback);
        }
        return callbacks;
    }

    static List<Integer> numbersOf(List<ReceivedMessage> messages) {
        return messages.stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .toList();
    }

    /** All of the messages have come, each once, whatever the order. */
    static void assertGotAll(RecordingListener listener, int from, int until) throws InterruptedException {
        assertThat(numbersOf(listener.awaitMessages(until - from, TIMEOUT)))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, until).boxed().toList());
    }
}
