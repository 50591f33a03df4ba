package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.suite.Patience;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One of many producers of a thread sends as good a mixture as all of them together. */
class ManyProducersTest {

    /** A load that sends as fast as possible does not need a clock that advances. */
    private static final long NOW_NS = 1;

    private static final int BATCH_BYTES = 64 << 10;

    /** A client that passes its messages to {@link #see} and confirms them. */
    private interface Shown extends BenchmarkProducer {
        void see(@Nullable String key, byte[] payload);

        @Override
        default void send(@Nullable String key, byte[] payload, SendCallback callback) {
            see(key, payload);
            callback.acknowledged();
        }

        @Override
        default void close() {}
    }

    private final Measurements measurements = new Measurements(System::nanoTime, 0);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Sends the messages of all producers on one thread; {@code last} is the client of the last producer. */
    private void send(int producers, int messagesEach, List<byte[]> contents, KeyDistributor keys, Shown last)
            throws InterruptedException {
        List<LoadedProducer> all = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            Shown client = i == producers - 1 ? last : (key, payload) -> {};
            all.add(new LoadedProducer(client, new ProducerAudit(i), measurements, MessageHeader.Layout.FULL, 1));
        }
        ProducerLoop loop = new ProducerLoop(
                "producer-under-test",
                new ProducerLoop.Work(
                        all,
                        Schedule.even(NOW_NS, Double.POSITIVE_INFINITY),
                        (long) producers * messagesEach,
                        Payloads.of(contents, false, producers, 1),
                        keys),
                measurements.newPublisher(),
                () -> NOW_NS,
                new Pacer(),
                failures::add);
        loop.start();
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended in time")
                .isTrue();
        assertThat(failures).isEmpty();
    }

    /** Uses the payload pool of {@code workloads/omb/500-topic-1kb-4p-4c.yaml}. */
    @Test
    void aBatchOfOneProducerIsAsHardToCompressAsItIsToBe() throws InterruptedException {
        ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH_BYTES);
        send(
                1000,
                BATCH_BYTES / 1024,
                Payloads.random(1000, 1024, 0.5, MessageHeader.Layout.FULL.bytes()),
                KeyDistributor.none(),
                (key, payload) -> batch.writeBytes(payload));
        assertThat(batch.size()).isEqualTo(BATCH_BYTES);
        assertThat(deflatedBytes(batch.toByteArray()) / (double) BATCH_BYTES)
                .as("half of it is random")
                .isBetween(0.45, 0.60);
    }

    private static int deflatedBytes(byte[] bytes) {
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        int deflated = deflater.deflate(new byte[2 * bytes.length]);
        deflater.end();
        return deflated;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 5", "5, 1", "2, 2", "3, 9", "9, 3", "4, 6", "7, 100", "100, 7", "100, 100", "60, 100"})
    void everyProducerSendsAllPayloadsEquallyOften(int producers, int pool) throws InterruptedException {
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < pool; i++) {
            byte[] content = new byte[64];
            content[63] = (byte) i;
            contents.add(content);
        }
        Map<Byte, Integer> counts = new HashMap<>();
        send(
                producers,
                3 * pool,
                contents,
                KeyDistributor.none(),
                (key, payload) -> counts.merge(payload[63], 1, Integer::sum));
        assertThat(counts).hasSize(pool);
        assertThat(counts.values()).allMatch(count -> count == 3);
    }

    @ParameterizedTest
    @CsvSource({"10", "16", "3", "125"})
    void everyProducerSendsAllKeys(int producers) throws InterruptedException {
        Map<String, Integer> counts = new HashMap<>();
        send(
                producers,
                KeyDistributor.KEY_COUNT,
                List.of(new byte[64]),
                KeyDistributor.roundRobin(IntStream.range(0, producers).toArray()),
                (key, payload) -> counts.merge(String.valueOf(key), 1, Integer::sum));
        assertThat(counts).hasSize(KeyDistributor.KEY_COUNT);
    }

    @Test
    void everyProducerHasTheMixtureOfSizes() throws InterruptedException {
        Map<Integer, Integer> counts = new HashMap<>();
        List<byte[]> mixed = Payloads.mixed(
                List.of(List.of(new byte[64]), List.of(new byte[1000])), List.of(70.0, 30.0), new Seed(1));
        send(1000, 1000, mixed, KeyDistributor.none(), (key, payload) -> counts.merge(payload.length, 1, Integer::sum));
        // Three standard deviations of a thousand picks.
        assertThat(counts.get(64)).isBetween(700 - 44, 700 + 44);
    }

    /** A mixture has as many places as there are keys: in step, each key would always have the same size. */
    @Test
    void aKeyComesWithEverySize() throws InterruptedException {
        Map<String, Map<Integer, Integer>> sizesOf = new HashMap<>();
        List<byte[]> mixed = Payloads.mixed(
                List.of(List.of(new byte[64]), List.of(new byte[1000])), List.of(50.0, 50.0), new Seed(1));
        send(
                1,
                20 * KeyDistributor.KEY_COUNT,
                mixed,
                KeyDistributor.roundRobin(0),
                (key, payload) -> sizesOf.computeIfAbsent(String.valueOf(key), k -> new HashMap<>())
                        .merge(payload.length, 1, Integer::sum));
        // With twenty messages per key, fewer than one key in ten thousand has only one size by chance.
        assertThat(sizesOf.values().stream().filter(sizes -> sizes.size() == 1)).hasSizeLessThan(5);
    }
}
