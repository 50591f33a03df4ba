package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.Load.LoadPlan;
import io.openmessaging.benchmark.worker.Load.SendGrace;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All random choices of a load follow from its seed. */
class LoadTest {

    private static final int MESSAGES = 300;
    private static final SendGrace GRACE = new SendGrace(Patience.LIMIT, Patience.LIMIT, text -> {});

    /** The choices made for a message. */
    private record Chosen(@Nullable String key, byte content, long dueNs) {}

    /** A client that keeps the choices made for its messages. */
    private static final class Keeping implements BenchmarkProducer {

        private final List<Chosen> messages = new CopyOnWriteArrayList<>();

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            messages.add(new Chosen(key, payload[payload.length - 1], MessageHeader.intendedNs(payload)));
            callback.acknowledged();
        }

        @Override
        public void close() {}

        /** Returns the choices, with times relative to the first. */
        List<Chosen> choices() {
            long firstNs = messages.get(0).dueNs;
            return messages.stream()
                    .map(message -> new Chosen(message.key, message.content, message.dueNs - firstNs))
                    .toList();
        }
    }

    /** Sends from several producers; returns the choices of each. */
    private static List<List<Chosen>> send(int producers, KeyDistribution keys, long seed) {
        Start start = new Start(1, 0, RateProfile.steady(100_000), (long) MESSAGES * producers);
        return send(numbers(producers, 0), start, ArrivalProcess.POISSON, keys, seed, 0, 1).stream()
                .map(Keeping::choices)
                .toList();
    }

    private static int[] numbers(int producers, int first) {
        return IntStream.range(first, first + producers).toArray();
    }

    /** Sends from one worker's producers; returns their clients with what they have sent. */
    private static List<Keeping> send(
            int[] producers,
            Start start,
            ArrivalProcess arrivals,
            KeyDistribution keys,
            long seed,
            int worker,
            int workers) {
        Measurements measurements = new Measurements(() -> 0, 0);
        List<Keeping> clients = new ArrayList<>();
        List<LoadedProducer> loaded = new ArrayList<>();
        for (int producer : producers) {
            Keeping client = new Keeping();
            clients.add(client);
            loaded.add(new LoadedProducer(
                    client, new ProducerAudit(producer), measurements, MessageHeader.Layout.FULL, 1));
        }
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] payload = Payloads.text(40);
            payload[39] = (byte) i;
            payloads.add(payload);
        }
        LoadPlan plan = new LoadPlan(start, arrivals, payloads, keys, new Seed(seed), worker, workers);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        // Either everything is due long ago, or each reading of the clock takes a millisecond.
        AtomicLong nowNs = new AtomicLong(1);
        LongSupplier clock = start.atNs() == 0 ? () -> nowNs.addAndGet(1_000_000) : () -> Long.MAX_VALUE / 2;
        Load load = new Load(plan, loaded, false, measurements, clock, GRACE, failures::add);
        load.start();
        Patience.until("the load is finished", load::finished);
        assertThat(failures).isEmpty();
        return clients;
    }

    @ParameterizedTest
    @EnumSource
    void theSameSeedGivesTheSameLoadAndAnotherOneAnother(KeyDistribution keys) {
        List<List<Chosen>> choices = send(1, keys, 7);
        assertThat(send(1, keys, 7)).isEqualTo(choices);
        List<Chosen> others = send(1, keys, 8).get(0);
        assertThat(others.stream().map(Chosen::dueNs))
                .isNotEqualTo(choices.get(0).stream().map(Chosen::dueNs).toList());
        assertThat(others.stream().map(Chosen::content))
                .isNotEqualTo(choices.get(0).stream().map(Chosen::content).toList());
        if (keys == KeyDistribution.RANDOM_NANO || keys == KeyDistribution.ZIPF) {
            assertThat(others.stream().map(Chosen::key))
                    .isNotEqualTo(choices.get(0).stream().map(Chosen::key).toList());
        }
    }

    /** Three workers with one producer each send at a third of the rate: together, a message every millisecond. */
    @Test
    void severalWorkersTogetherSendAtEvenDistances() {
        List<Long> times = new ArrayList<>();
        for (int worker = 0; worker < 3; worker++) {
            Measurements measurements = new Measurements(() -> 0, 0);
            Keeping client = new Keeping();
            LoadPlan plan = new LoadPlan(
                    new Start(1, 1, RateProfile.steady(1000 / 3.0), MESSAGES),
                    ArrivalProcess.CONSTANT,
                    List.of(Payloads.text(40)),
                    KeyDistribution.NO_KEY,
                    new Seed(7),
                    worker,
                    3);
            LoadedProducer producer =
                    new LoadedProducer(client, new ProducerAudit(worker), measurements, MessageHeader.Layout.FULL, 1);
            Load load = new Load(
                    plan, List.of(producer), false, measurements, () -> Long.MAX_VALUE / 2, GRACE, failure -> {});
            load.start();
            Patience.until("the load is finished", load::finished);
            client.messages.forEach(message -> times.add(message.dueNs()));
        }
        Collections.sort(times);
        assertThat(times).hasSize(3 * MESSAGES);
        for (int i = 0; i < times.size(); i++) {
            assertThat(times.get(i)).isBetween(1 + i * 1_000_000L - 2, 1 + i * 1_000_000L + 2);
        }
    }

    /** Eight workers with two producers each send 160 messages per 10 ms. In step, those would have only ten keys. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NO_KEY")
    void noProducersOfSeveralThreadsAndWorkersKeepStep(KeyDistribution keys) {
        int workers = 8;
        int messages = 6_400;
        Start start = new Start(1, 1, RateProfile.steady(16_000.0 / workers), messages / workers);
        List<Chosen> sent = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            send(numbers(2, 2 * worker), start, ArrivalProcess.CONSTANT, keys, 7, worker, workers)
                    .forEach(client -> sent.addAll(client.messages));
        }
        sent.sort(Comparator.comparingLong(Chosen::dueNs));
        List<Integer> partitions = sent.stream()
                .map(message -> Math.floorMod(String.valueOf(message.key).hashCode(), 8))
                .toList();
        List<Integer> contents =
                sent.stream().map(message -> (int) message.content).toList();
        for (List<Integer> chosen : List.of(partitions, contents)) {
            List<Integer> shuffled = new ArrayList<>(chosen);
            Collections.shuffle(shuffled, new Random(1));
            assertThat(fullest(chosen))
                    .as("mean share of the fullest of each 10 ms")
                    .isLessThan(1.1 * fullest(shuffled));
        }
        long used = sent.stream().map(Chosen::key).distinct().count();
        if (keys == KeyDistribution.KEY_ROUND_ROBIN) {
            assertThat((double) used).isGreaterThan(0.95 * messages);
        } else if (keys == KeyDistribution.RANDOM_NANO) {
            double expected = KeyDistributor.KEY_COUNT * (1 - Math.exp(-(double) messages / KeyDistributor.KEY_COUNT));
            assertThat((double) used).isCloseTo(expected, withinPercentage(4));
        }
    }

    /** Returns the mean share of the most frequent value in each 160. */
    private static double fullest(List<Integer> values) {
        int window = 160;
        double sum = 0;
        for (int from = 0; from < values.size(); from += window) {
            List<Integer> some = values.subList(from, from + window);
            sum += some.stream()
                    .mapToInt(value -> Collections.frequency(some, value))
                    .max()
                    .orElseThrow();
        }
        return sum / values.size();
    }

    @Test
    void noThreadIsLikeAnother() {
        assumeTrue(
                Load.threads(2, Runtime.getRuntime().availableProcessors()) == 2,
                "one processor has one sending thread");
        List<List<Chosen>> choices = send(2, KeyDistribution.RANDOM_NANO, 7);
        assertThat(choices.get(0).stream().map(Chosen::key))
                .isNotEqualTo(choices.get(1).stream().map(Chosen::key).toList());
        assertThat(choices.get(0).stream().map(Chosen::dueNs))
                .isNotEqualTo(choices.get(1).stream().map(Chosen::dueNs).toList());
    }
}
