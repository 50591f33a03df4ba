package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests messages with delayed delivery. */
@LongSuite("holds each of many messages back for a second")
class DelayedDeliveryIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    private static final int MESSAGES = 300;
    private static final Duration DELAY = Duration.ofSeconds(1);

    /**
     * Pulsar counts in milliseconds and counts a started one as complete; if it checks every 10 ms, it counts in steps
     * of 8 ms.
     */
    private static final Duration EARLY_MAX = Duration.ofMillis(10);

    private static final int KEYS = 10;

    @ParameterizedTest
    @CsvSource({"Shared, false", "Key_Shared, false", "Shared, true", "Key_Shared, true"})
    void noMessageComesBeforeItsTimeAndAllCome(String subscription, boolean inTransactions) throws Exception {
        AtomicLongArray sentNs = new AtomicLongArray(MESSAGES);
        AtomicLongArray delaysNs = new AtomicLongArray(MESSAGES);
        AtomicIntegerArray lastOfKey = new AtomicIntegerArray(KEYS);
        AtomicInteger outOfOrder = new AtomicInteger();
        AtomicInteger cameAgain = new AtomicInteger();
        CountDownLatch arrived = new CountDownLatch(MESSAGES);
        MessageListener listener = (key, payload, partition) -> {
            int number = NumberedPayload.numberOf(payload);
            if (!delaysNs.compareAndSet(number, 0, System.nanoTime() - sentNs.get(number))) {
                cameAgain.incrementAndGet();
                return;
            }
            if (lastOfKey.getAndSet(number % KEYS, number) > number) {
                outOfOrder.incrementAndGet();
            }
            arrived.countDown();
        };
        String transaction = inTransactions ? ", transaction: {messages: 1}" : "";
        String yaml =
                "{producer: {deliverAfter: 1s" + transaction + "}, consumer: {subscriptionType: " + subscription + "}}";
        try (DriverSession session =
                DriverSession.open(new PulsarBenchmarkDriver(), PULSAR.reach(TestConfigs.of(yaml)), Patience.LIMIT)) {
            TopicSpec topic = session.topic(2);
            session.consumers(session.consumerOf(topic, "s", listener), session.consumerOf(topic, "s", listener));
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < MESSAGES; i++) {
                RecordingCallback callback = new RecordingCallback("message " + i);
                sentNs.set(i, System.nanoTime());
                producer.send("key-" + i % KEYS, NumberedPayload.of(i, 100), callback);
                // Sends one message at a time, so that they are due at many different times.
                callback.awaitAcknowledged(Patience.LIMIT);
            }
            Patience.await("all messages", arrived);
        }
        LongSummaryStatistics heldNs =
                IntStream.range(0, MESSAGES).mapToLong(delaysNs::get).summaryStatistics();
        System.out.printf(
                "%s%s: held back for %.1f to %.1f ms, on average %.1f, asked for %d; came again: %d%n",
                subscription,
                inTransactions ? ", in transactions" : "",
                heldNs.getMin() / 1e6,
                heldNs.getMax() / 1e6,
                heldNs.getAverage() / 1e6,
                DELAY.toMillis(),
                cameAgain.get());
        assertThat(Duration.ofNanos(heldNs.getMin())).isGreaterThanOrEqualTo(DELAY.minus(EARLY_MAX));
        if (subscription.equals("Key_Shared")) {
            assertThat(outOfOrder)
                    .as("messages that came after a later one of their key")
                    .hasValue(0);
        }
    }
}
