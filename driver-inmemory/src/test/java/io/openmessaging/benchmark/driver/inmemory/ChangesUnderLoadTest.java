package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Consumers come, go, pause and resume while producers send as fast as they can. */
class ChangesUnderLoadTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PARTITIONS = 4;
    private static final int PRODUCERS = 2;
    private static final int MESSAGES = 200_000;

    /** Expects the messages of each producer one after the other in each partition, whichever consumer gets them. */
    private static final class OrderCheck implements MessageListener {

        // Not synchronized: the driver is to keep calls for one partition apart, and visible to the next one.
        private final int[] nextSequence = new int[PARTITIONS * PRODUCERS];
        private final AtomicInteger received = new AtomicInteger();
        private volatile @Nullable String firstFault;

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            ByteBuffer bytes = ByteBuffer.wrap(payload);
            int producer = bytes.getInt();
            int sequence = bytes.getInt();
            int expected = nextSequence[partition * PRODUCERS + producer]++;
            if (sequence != expected && firstFault == null) {
                firstFault = "partition " + partition + " of producer " + producer + ": expected " + expected + ", got "
                        + sequence;
            }
            received.incrementAndGet();
        }
    }

    private static @Nullable Void sendAll(BenchmarkProducer producer, int id) throws InterruptedException {
        int[] nextSequence = new int[PARTITIONS];
        for (int i = 0; i < MESSAGES; i++) {
            // Without keys a producer takes the partitions in turn, the one of its number first.
            int partition = (id + i) % PARTITIONS;
            byte[] payload = ByteBuffer.allocate(2 * Integer.BYTES)
                    .putInt(id)
                    .putInt(nextSequence[partition]++)
                    .array();
            RecordingCallback callback = new RecordingCallback("message " + i);
            producer.send(null, payload, callback);
            assertThat(callback.acknowledgements()).isEqualTo(1);
        }
        return null;
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostDuplicatedOrOutOfOrder(Delivery delivery) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try (DriverSession session =
                DriverSession.open(new InMemoryBenchmarkDriver(), InMemoryConfig.of(delivery), LIMIT)) {
            TopicSpec topic = session.topic(PARTITIONS);
            OrderCheck check = new OrderCheck();
            BenchmarkConsumer permanent = session.consumer(topic, "s", check);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            List<Future<?>> sending = new ArrayList<>();
            for (int id = 0; id < PRODUCERS; id++) {
                int number = id;
                sending.add(threads.submit(() -> sendAll(producers.get(number), number)));
            }
            int changes = 0;
            while (!sending.stream().allMatch(Future::isDone)) {
                permanent.pause();
                BenchmarkConsumer passing = session.consumer(topic, "s", check);
                permanent.resume();
                passing.pause();
                session.close(passing);
                changes++;
            }
            for (Future<?> sender : sending) {
                sender.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
            Awaitility.await("all messages to arrive")
                    .atMost(LIMIT)
                    .until(() -> check.received.get() >= PRODUCERS * MESSAGES);
            assertThat(check.firstFault).isNull();
            assertThat(check.received).hasValue(PRODUCERS * MESSAGES);
            assertThat(changes).as("rounds of changes during the load").isGreaterThan(10);
        } finally {
            threads.shutdownNow();
        }
    }
}
