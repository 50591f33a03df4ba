package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

class DelaysTest {

    private static final Duration LIMIT = Patience.LIMIT;
    private static final int MIN_RING = 4;

    private static DriverSession open(Duration ackDelay, Duration deliveryDelay, Duration timeout) throws Exception {
        InMemoryConfig config =
                new InMemoryConfig(Delivery.QUEUED, MIN_RING, 1L << 20, ackDelay, deliveryDelay, Faults.NONE);
        return DriverSession.open(new InMemoryBenchmarkDriver(), config, timeout);
    }

    @Test
    void acknowledgementsComeAfterTheDelay() throws Exception {
        int messages = 50;
        Duration delay = Duration.ofMillis(50);
        try (DriverSession session = open(delay, Duration.ZERO, LIMIT)) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            AtomicLongArray acknowledgedNs = new AtomicLongArray(messages);
            CountDownLatch acknowledged = new CountDownLatch(messages);
            long[] sentNs = new long[messages];
            for (int i = 0; i < messages; i++) {
                int number = i;
                sentNs[i] = System.nanoTime();
                producer.send(null, new byte[10], new SendCallback() {
                    @Override
                    public void acknowledged() {
                        acknowledgedNs.set(number, System.nanoTime());
                        acknowledged.countDown();
                    }

                    @Override
                    public void failed(Throwable cause) {
                        throw new AssertionError(cause);
                    }
                });
            }
            Patience.await("all acknowledgements", acknowledged);
            for (int i = 0; i < messages; i++) {
                assertThat(Duration.ofNanos(acknowledgedNs.get(i) - sentNs[i])).isGreaterThanOrEqualTo(delay);
            }
        }
    }

    @Test
    void closeWaitsForAcknowledgements() throws Exception {
        try (DriverSession session = open(Duration.ofMillis(200), Duration.ZERO, LIMIT)) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("the message");
            producer.send(null, new byte[10], callback);
            session.close(producer);
            assertThat(callback.acknowledgements()).isEqualTo(1);
        }
    }

    @Test
    void closeFailsWhatIsNotAcknowledgedByTheTimeout() throws Exception {
        try (DriverSession session = open(Duration.ofMinutes(5), Duration.ZERO, Duration.ofMillis(100))) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("the message");
            producer.send(null, new byte[10], callback);
            session.close(producer);
            assertThat(callback.calls()).isEqualTo(1);
            assertThat(callback.failures().get(0)).hasMessage("The producer was closed before the acknowledgement.");
        }
    }

    /** A send to a full queue waits for room; it would wait in vain if messages that are not due filled the queue. */
    @Test
    void messagesThatAreNotDueDoNotFillTheQueue() throws Exception {
        try (DriverSession session = open(Duration.ZERO, Duration.ofMinutes(5), LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < 25 * MIN_RING; i++) {
                RecordingCallback callback = new RecordingCallback("message " + i);
                producer.send(null, NumberedPayload.of(i, 10), callback);
                assertThat(callback.acknowledgements()).isEqualTo(1);
            }
        }
    }

    @Test
    void messagesAreDeliveredInOrderAfterTheDelay() throws Exception {
        int messages = 100;
        Duration delay = Duration.ofMillis(50);
        try (DriverSession session = open(Duration.ZERO, delay, LIMIT)) {
            TopicSpec topic = session.topic(1);
            List<Long> receivedNs = new ArrayList<>();
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", (key, payload, partition) -> {
                receivedNs.add(System.nanoTime());
                listener.received(key, payload, partition);
            });
            BenchmarkProducer producer = session.producer(topic);
            long[] sentNs = new long[messages];
            for (int i = 0; i < messages; i++) {
                sentNs[i] = System.nanoTime();
                producer.send(null, NumberedPayload.of(i, 10), new RecordingCallback("message " + i));
            }
            listener.awaitMessages(messages, LIMIT);
            for (int i = 0; i < messages; i++) {
                assertThat(NumberedPayload.numberOf(listener.messages().get(i).payload()))
                        .isEqualTo(i);
                assertThat(Duration.ofNanos(receivedNs.get(i) - sentNs[i])).isGreaterThanOrEqualTo(delay);
            }
        }
    }

    @Test
    void pauseAndResumeLoseNoDelayedMessage() throws Exception {
        try (DriverSession session = open(Duration.ZERO, Duration.ofMillis(50), LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            RecordingListener other = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            session.consumer(topic, "other", other);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < 100; i++) {
                producer.send(null, NumberedPayload.of(i, 10), new RecordingCallback("message " + i));
            }
            consumer.pause();
            int whenPaused = listener.count();
            // All messages are due by then.
            other.awaitMessages(100, LIMIT);
            assertThat(listener.count()).isEqualTo(whenPaused);
            consumer.resume();
            listener.awaitMessages(100, LIMIT);
            assertThat(listener.awaitQuiet(Duration.ofMillis(100), LIMIT)).isEqualTo(100);
        }
    }
}
