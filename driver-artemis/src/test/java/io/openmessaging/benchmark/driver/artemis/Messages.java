package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Sends numbered messages and checks that they have arrived. */
final class Messages {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration SETTLING = Duration.ofMillis(200);

    private Messages() {}

    /** Hands messages over, each with its number for a key. */
    static List<RecordingCallback> send(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i, NumberedPayload.of(i, bytes), callback);
        }
        return callbacks;
    }

    /** The same, and waits until all are acknowledged. */
    static void sendAcknowledged(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        for (RecordingCallback callback : send(producer, from, until, bytes)) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    /** Each message has come to one of the listeners, once. */
    static void assertGotAll(List<RecordingListener> listeners, int from, int until) throws InterruptedException {
        await("messages " + from + " to " + until)
                .atMost(TIMEOUT)
                .until(() ->
                        listeners.stream().mapToInt(RecordingListener::count).sum() >= until - from);
        List<Integer> numbers = new ArrayList<>();
        for (RecordingListener listener : listeners) {
            listener.awaitQuiet(SETTLING, TIMEOUT);
            listener.messages().forEach(message -> numbers.add(NumberedPayload.numberOf(message.payload())));
        }
        assertThat(numbers)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, until).boxed().toList());
    }
}
