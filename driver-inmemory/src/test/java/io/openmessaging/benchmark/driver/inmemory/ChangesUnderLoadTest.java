package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests consumers that are created, closed, paused and resumed while producers send as fast as they can. */
class ChangesUnderLoadTest {

    private static final int PARTITIONS = 4;
    private static final int PRODUCERS = 2;
    private static final int CHANGES = 50;
    private static final int MESSAGES_BETWEEN_CHANGES = 500;

    /** Expects the messages of each producer in order within each partition, whichever consumer receives them. */
    private static final class OrderCheck implements MessageListener {

        // Not synchronized: the driver must serialize calls for one partition and make each visible to the next one.
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

    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();

    private @Nullable Void send(BenchmarkProducer producer, int id) throws InterruptedException {
        int[] nextSequence = new int[PARTITIONS];
        for (int i = 0; !ended.get(); i++) {
            // Without keys, a producer uses the partitions in turn and starts with the one of its own number.
            int partition = (id + i) % PARTITIONS;
            byte[] payload = ByteBuffer.allocate(2 * Integer.BYTES)
                    .putInt(id)
                    .putInt(nextSequence[partition]++)
                    .array();
            RecordingCallback callback = new RecordingCallback("message " + i);
            producer.send(null, payload, callback);
            assertThat(callback.acknowledgements()).isEqualTo(1);
            sent.incrementAndGet();
        }
        return null;
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostDuplicatedOrOutOfOrder(Delivery delivery) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try (DriverSession session =
                DriverSession.open(new InMemoryBenchmarkDriver(), InMemoryConfig.of(delivery), Patience.LIMIT)) {
            TopicSpec topic = session.topic(PARTITIONS);
            OrderCheck check = new OrderCheck();
            BenchmarkConsumer permanent = session.consumer(topic, "s", check);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            List<Future<?>> sending = new ArrayList<>();
            for (int id = 0; id < PRODUCERS; id++) {
                int number = id;
                sending.add(threads.submit(() -> send(producers.get(number), number)));
            }
            for (int change = 1; change <= CHANGES; change++) {
                permanent.pause();
                BenchmarkConsumer passing = session.consumer(topic, "s", check);
                permanent.resume();
                passing.pause();
                session.close(passing);
                int nextAfter = sent.get() + MESSAGES_BETWEEN_CHANGES;
                Patience.until("the load to go on", () -> sent.get() > nextAfter);
            }
            ended.set(true);
            for (Future<?> sender : sending) {
                Patience.get("the end of the load", sender);
            }
            Patience.until("all messages to arrive", () -> check.received.get() >= sent.get());
            assertThat(check.firstFault).isNull();
            assertThat(check.received).hasValue(sent.get());
        } finally {
            ended.set(true);
            threads.shutdownNow();
        }
    }
}
