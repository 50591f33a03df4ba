package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left to chance in a load follows from its seed. */
class LoadTest {

    private static final int MESSAGES = 300;
    private static final SendGrace GRACE = new SendGrace(Patience.LIMIT, Patience.LIMIT);

    /** What was chosen for a message. */
    private record Chosen(@Nullable String key, byte content, long dueNs) {}

    /** A client that keeps what was chosen. */
    private static final class Keeping implements BenchmarkProducer {

        private final List<Chosen> messages = new CopyOnWriteArrayList<>();

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            messages.add(new Chosen(key, payload[payload.length - 1], MessageHeader.intendedNs(payload)));
            callback.acknowledged();
        }

        @Override
        public void close() {}

        /** With times from that of the first on. */
        List<Chosen> choices() {
            long firstNs = messages.get(0).dueNs;
            return messages.stream()
                    .map(message -> new Chosen(message.key, message.content, message.dueNs - firstNs))
                    .toList();
        }
    }

    /** What each of some producers sends. */
    private static List<List<Chosen>> send(int producers, KeyDistribution keys, long seed) {
        Measurements measurements = new Measurements(System::nanoTime, 0);
        List<Keeping> clients = new ArrayList<>();
        List<LoadedProducer> loaded = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            clients.add(new Keeping());
            loaded.add(new LoadedProducer(
                    clients.get(i), new ProducerAudit(i), measurements, MessageHeader.Layout.FULL, 1));
        }
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] payload = Payloads.text(40);
            payload[39] = (byte) i;
            payloads.add(payload);
        }
        LoadPlan plan = new LoadPlan(
                new Start(1, 0, RateProfile.steady(100_000), (long) MESSAGES * producers),
                Arrivals.POISSON,
                payloads,
                keys,
                new Seed(seed),
                0,
                1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Load load = new Load(plan, loaded, false, measurements, System::nanoTime, GRACE, failures::add);
        load.start();
        Patience.until("the load is finished", load::finished);
        assertThat(failures).isEmpty();
        return clients.stream().map(Keeping::choices).toList();
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

    /** Three workers with a producer each, at a third of the rate: a message every millisecond. */
    @Test
    void severalWorkersTogetherSendAtEvenDistances() {
        List<Long> times = new ArrayList<>();
        for (int worker = 0; worker < 3; worker++) {
            Measurements measurements = new Measurements(() -> 0, 0);
            Keeping client = new Keeping();
            LoadPlan plan = new LoadPlan(
                    new Start(1, 1, RateProfile.steady(1000 / 3.0), MESSAGES),
                    Arrivals.CONSTANT,
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
