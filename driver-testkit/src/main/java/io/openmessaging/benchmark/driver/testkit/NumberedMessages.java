package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Sends numbered messages and checks their arrival. */
public final class NumberedMessages {

    /** Limit for each acknowledgement, and for all messages to arrive. */
    public static final Duration TIMEOUT = Patience.LIMIT;

    private static final Duration SETTLING = Duration.ofMillis(200);

    private NumberedMessages() {}

    /** Sends messages without waiting, each with its number in its key. */
    public static List<RecordingCallback> send(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i, NumberedPayload.of(i, bytes), callback);
        }
        return callbacks;
    }

    /** Waits until all are acknowledged. */
    public static void awaitAcknowledged(List<RecordingCallback> callbacks) throws InterruptedException {
        awaitAcknowledged(callbacks, TIMEOUT);
    }

    private static void awaitAcknowledged(List<RecordingCallback> callbacks, Duration limit)
            throws InterruptedException {
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(limit);
        }
    }

    /**
     * Sends one message per producer, without a key, numbered by the producer's index; asserts that each arrives once
     * at the listener.
     */
    public static void assertOneOfEachArrives(
            List<BenchmarkProducer> producers, RecordingListener listener, Duration limit) throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = 0; i < producers.size(); i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producers.get(i).send(null, NumberedPayload.of(i, 100), callback);
        }
        awaitAcknowledged(callbacks, limit);
        assertThat(numbersOf(listener.awaitMessages(producers.size(), limit)))
                .containsExactlyInAnyOrderElementsOf(numbers(0, producers.size()));
    }

    /** Sends messages, and waits until all are acknowledged. */
    public static void sendAcknowledged(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        awaitAcknowledged(send(producer, from, until, bytes));
    }

    /** Returns the numbers of messages, in their order. */
    public static List<Integer> numbersOf(List<ReceivedMessage> messages) {
        return messages.stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .toList();
    }

    /** Returns the numbers in ascending order, excluding {@code until}. */
    public static List<Integer> numbers(int from, int until) {
        return IntStream.range(from, until).boxed().toList();
    }

    /** Asserts that each message has arrived at one of the listeners, once. */
    public static void assertGotAll(List<RecordingListener> listeners, int from, int until)
            throws InterruptedException {
        Patience.until(
                "messages " + from + " to " + until,
                () -> listeners.stream().mapToInt(RecordingListener::count).sum() >= until - from);
        List<Integer> got = new ArrayList<>();
        for (RecordingListener listener : listeners) {
            listener.awaitQuiet(SETTLING, TIMEOUT);
            got.addAll(numbersOf(listener.messages()));
        }
        assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(from, until));
    }
}
