package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends and counts messages for the tests. */
final class Sending {

    static final Duration TIMEOUT = Patience.LIMIT;

    private static final int PAYLOAD_BYTES = 100;

    private Sending() {}

    /** Sends numbered messages, each with a key, and returns their callbacks without waiting. */
    static List<RecordingCallback> send(BenchmarkProducer producer, int from, int until) throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i, NumberedPayload.of(i, PAYLOAD_BYTES), callback);
        }
        return callbacks;
    }

    /** Sends numbered messages, each with a key, and waits until all are acknowledged. */
    static void sendAcknowledged(BenchmarkProducer producer, int from, int until) throws InterruptedException {
        for (RecordingCallback callback : send(producer, from, until)) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    /** Returns the numbers that have arrived, sorted, once at least the expected number has arrived. */
    static List<Integer> arrived(RecordingListener listener, int atLeast) throws InterruptedException {
        return listener.awaitMessages(atLeast, TIMEOUT).stream()
                .map(ReceivedMessage::payload)
                .map(NumberedPayload::numberOf)
                .sorted()
                .toList();
    }
}
