package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.worker.TestDrivers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {

    private static RunDescription run(Topology topology, Placement placement) {
        return new RunDescription(
                TestDrivers.DESCRIPTION,
                topology,
                new MessagePlan(
                        MessageHeader.Layout.FULL,
                        PayloadSpec.text(100),
                        KeyDistribution.NO_KEY,
                        ArrivalProcess.CONSTANT),
                ClientOptions.plain(Duration.ofSeconds(1)),
                new Seed(0),
                Duration.ZERO,
                placement);
    }

    /**
     * Tests up to five topics of up to four producers, with both roles. Separate tests would take longer than their
     * assertions.
     */
    private static void forEachRun(int workers, BiConsumer<Topology, List<Placement>> test) {
        for (int topics = 1; topics <= 5; topics++) {
            for (int clients = 1; clients <= 4; clients++) {
                Topology topology = new Topology("run1", topics, 1, clients, 2, 1 + clients % 3);
                for (List<Placement> placements : List.of(
                        Placement.mixed(workers, topology.producerCount()),
                        Placement.split(workers, false),
                        Placement.split(workers, true),
                        Placement.oneEach(workers, topology.producerCount()))) {
                    try {
                        test.accept(topology, placements);
                    } catch (AssertionError wrong) {
                        throw new AssertionError(topology + " at " + placements, wrong);
                    }
                }
            }
        }
    }

    @Test
    void withAWorkerForEachClientTheFirstOnesSend() {
        Topology topology = new Topology("run1", 2, 1, 3, 2, 2);
        List<Placement> placements = Placement.oneEach(6 + 8, topology.producerCount());
        assertThat(placements)
                .extracting(placement -> placement.producersHere(6))
                .containsExactly(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(placements)
                .extracting(placement -> placement.consumersHere(8))
                .containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(Placement.oneEach(3, 3)).as("nobody receives").isEqualTo(Placement.mixed(3, 3));
        assertThat(Placement.oneEach(3, 0)).as("nobody sends").isEqualTo(Placement.mixed(3, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void everyClientIsAtOneWorker(int workers) {
        forEachRun(workers, PlacementTest::assertEveryClientIsAtOneWorker);
    }

    private static void assertEveryClientIsAtOneWorker(Topology topology, List<Placement> placements) {
        List<Topology.Producer> producers = new ArrayList<>();
        List<Topology.Consumer> consumers = new ArrayList<>();
        for (Placement placement : placements) {
            RunDescription run = run(topology, placement);
            List<Topology.Producer> here = run.producersHere(0, topology.producersPerTopic());
            assertThat(here).hasSize(placement.producersHere(topology.producerCount()));
            assertThat(here)
                    .allSatisfy(producer ->
                            assertThat(run.workerOfProducer(producer.id())).isEqualTo(placement.worker()));
            producers.addAll(here);
            List<Topology.Consumer> consumersHere = run.consumersHere(0, topology.consumersPerSubscription());
            assertThat(consumersHere).hasSize(placement.consumersHere(topology.consumerCount()));
            consumers.addAll(consumersHere);
        }
        assertThat(producers).containsExactlyInAnyOrderElementsOf(topology.producers());
        assertThat(consumers).containsExactlyInAnyOrderElementsOf(topology.consumers());
    }

    /** This holds at every step of a growing run, too, in which existing clients stay where they are. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void workersHaveTheSameNumberGiveOrTakeOne(int workers) {
        forEachRun(workers, PlacementTest::assertBalanced);
    }

    private static void assertBalanced(Topology topology, List<Placement> placements) {
        for (int each = 1; each <= topology.producersPerTopic(); each++) {
            int all = each * topology.topicCount();
            Placement any = placements.get(0);
            assertBalanced(
                    placements.subList(0, any.producerWorkers()), placement -> placement.producersHere(all), all);
            assertThat(placements.stream().filter(placement -> placement.producersHere(all) > 0))
                    .as("those with producers are the first ones")
                    .isEqualTo(placements.subList(0, any.producingWorkers(all)))
                    .isNotEmpty();
            for (Placement placement : placements) {
                assertThat(run(topology, placement).producersHere(0, each)).hasSize(placement.producersHere(all));
            }
        }
        for (int each = 1; each <= topology.consumersPerSubscription(); each++) {
            int all = each * topology.topicCount() * topology.subscriptionCount();
            List<Placement> consuming = placements.stream()
                    .filter(placement -> placement.consumersHere(Integer.MAX_VALUE) > 0)
                    .toList();
            assertBalanced(consuming, placement -> placement.consumersHere(all), all);
            for (Placement placement : placements) {
                assertThat(run(topology, placement).consumersHere(0, each)).hasSize(placement.consumersHere(all));
            }
        }
    }

    private static void assertBalanced(Collection<Placement> placements, ToIntFunction<Placement> share, int all) {
        List<Integer> shares =
                placements.stream().map(share::applyAsInt).sorted().toList();
        assertThat(shares.stream().mapToInt(Integer::intValue).sum()).isEqualTo(all);
        assertThat(shares.get(shares.size() - 1) - shares.get(0)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void messagesAddUpToExactlyThoseAskedFor(int workers) {
        forEachRun(workers, PlacementTest::assertMessagesAddUp);
    }

    private static void assertMessagesAddUp(Topology topology, List<Placement> placements) {
        int producers = topology.producerCount();
        for (long messages : new long[] {0, 1, 7, 1000, 123_456_789_012_345_678L, Long.MAX_VALUE - 1}) {
            assertThat(placements.stream()
                            .mapToLong(placement -> placement.messagesHere(messages, producers))
                            .sum())
                    .isEqualTo(messages);
        }
    }

    @Test
    void withoutALimitOfMessagesNobodyHasOne() {
        assertThat(Placement.mixed(3, 3).get(1).messagesHere(Long.MAX_VALUE, 3)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSingleWorkerHasEverything(boolean moreConsumers) {
        assertThat(Placement.split(1, moreConsumers)).containsExactly(Placement.alone());
        assertThat(Placement.mixed(1, 5)).containsExactly(Placement.alone());
    }

    @Test
    void halfOrAThirdOfTheWorkersHaveProducersIfTheyAreSplit() {
        assertThat(Stream.of(2, 3, 4, 5, 6, 7)
                        .map(workers -> Placement.split(workers, false).get(0).producerWorkers()))
                .containsExactly(1, 1, 2, 2, 3, 3);
        assertThat(Stream.of(2, 3, 4, 5, 6, 7)
                        .map(workers -> Placement.split(workers, true).get(0).producerWorkers()))
                .containsExactly(1, 1, 2, 2, 2, 3);
    }

    @Test
    void aProducerAndAConsumerOnTwoWorkersUseBoth() {
        Topology topology = new Topology("run1", 1, 1, 1, 1, 1);
        List<Placement> placements = Placement.mixed(2, 1);
        assertThat(run(topology, placements.get(0)).producersHere(0, 1)).hasSize(1);
        assertThat(run(topology, placements.get(0)).consumersHere(0, 1)).isEmpty();
        assertThat(run(topology, placements.get(1)).producersHere(0, 1)).isEmpty();
        assertThat(run(topology, placements.get(1)).consumersHere(0, 1)).hasSize(1);
    }
}
