package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests many keys and many consumers on one Key_Shared subscription. */
@LongSuite("sends 60,000 messages to 64 consumers")
class KeySharedScaleIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = LocalPulsar.withoutTransactions();

    private static final int KEYS = 10_000;
    private static final int MESSAGES = 6 * KEYS;

    /**
     * When a consumer joined, Pulsar 4.2.4 let 193 messages overtake in one run of many, by a race in the broker when
     * a key moves to another consumer (as in apache/pulsar#23870, which 4.0.3 was meant to fix). Without order by key,
     * half of the messages would be out of order.
     */
    private static final int MOST_OUT_OF_ORDER = MESSAGES / 20;

    private static final int SENT_BEFORE_THE_JOIN = MESSAGES / 3;

    /** The remaining messages wait until the consumer has joined, however long that takes. */
    private static final int SENT_DURING_THE_JOIN = MESSAGES / 3;

    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void eachKeyKeepsItsOrderAndNothingIsLostWhenAConsumerJoins(int consumers) throws Exception {
        Arrived arrived = new Arrived();
        List<Consumed> consumed = new ArrayList<>();
        PulsarConfig config =
                PULSAR.reach(ShippedDriverFile.named("pulsar-key-shared.yaml").config(PulsarConfig.class));
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (DriverSession session = DriverSession.open(new PulsarBenchmarkDriver(), config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < consumers; i++) {
                consumed.add(new Consumed(arrived));
                specs.add(session.consumerOf(topic, "s", consumed.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            BenchmarkProducer producer = session.producer(topic);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch joined = new CountDownLatch(1);
            Future<List<RecordingCallback>> sending = sender.submit(() -> send(producer, begun, joined));
            Patience.await("the messages before the join", begun);
            consumed.add(new Consumed(arrived));
            session.consumer(topic, "s", consumed.get(consumers));
            joined.countDown();
            for (RecordingCallback callback : Patience.get("the end of sending", sending)) {
                callback.awaitAcknowledged(Patience.LIMIT);
            }
            Patience.await("all messages", arrived.all);
        } finally {
            sender.shutdownNow();
        }
        report(consumers, consumed);
        assertThat(arrived.outOfOrder.get())
                .as("messages that came after a later one of their key")
                .isLessThanOrEqualTo(MOST_OUT_OF_ORDER);
        assertThat(arrived.count).as("messages, each once").hasValue(MESSAGES);
        assertThat(consumed)
                .extracting(Consumed::count)
                .as("messages of each consumer")
                .allMatch(count -> count > 0);
    }

    private static List<RecordingCallback> send(BenchmarkProducer producer, CountDownLatch begun, CountDownLatch joined)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            if (i == SENT_BEFORE_THE_JOIN) {
                begun.countDown();
            }
            if (i == SENT_BEFORE_THE_JOIN + SENT_DURING_THE_JOIN) {
                joined.await();
            }
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i % KEYS, NumberedPayload.of(i, 100), callback);
        }
        return callbacks;
    }

    private static void report(int consumers, List<Consumed> consumed) {
        List<Integer> shares = consumed.subList(0, consumers).stream()
                .map(Consumed::count)
                .sorted()
                .toList();
        System.out.printf(
                "Key_Shared, %d keys, %d consumers and one that joins: %d messages; a consumer got %d to %d,"
                        + " half of them up to %d, the one that joined %d%n",
                KEYS,
                consumers,
                MESSAGES,
                shares.get(0),
                shares.get(consumers - 1),
                shares.get(consumers / 2),
                consumed.get(consumers).count());
    }

    /** The messages that all consumers have received. */
    private static final class Arrived {

        private final AtomicIntegerArray lastOfKey = new AtomicIntegerArray(KEYS);
        private final AtomicInteger outOfOrder = new AtomicInteger();
        private final AtomicInteger count = new AtomicInteger();
        private final CountDownLatch all = new CountDownLatch(MESSAGES);

        void note(int number) {
            // Numbers count from 1, so that 0 is before the first one.
            if (lastOfKey.getAndSet(number % KEYS, number + 1) > number) {
                outOfOrder.incrementAndGet();
            }
            count.incrementAndGet();
            all.countDown();
        }
    }

    /** The messages that one consumer has received. */
    private static final class Consumed implements MessageListener {

        private final Arrived arrived;
        private final AtomicInteger count = new AtomicInteger();

        Consumed(Arrived arrived) {
            this.arrived = arrived;
        }

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            arrived.note(NumberedPayload.numberOf(payload));
            count.incrementAndGet();
        }

        int count() {
            return count.get();
        }
    }
}
