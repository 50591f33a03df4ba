package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProbesTest {

    private static final int RUN_TAG = 4711;

    /** A client that keeps what was sent. */
    private static final class Sent implements BenchmarkProducer {

        private final List<@Nullable String> keys = new ArrayList<>();
        private final List<byte[]> payloads = new ArrayList<>();
        private final List<SendCallback> callbacks = new ArrayList<>();

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            keys.add(key);
            payloads.add(payload);
            callbacks.add(callback);
        }

        @Override
        public void close() {}
    }

    private final Sent sent = new Sent();

    private static Probes probes(int partitions) {
        Probes probes = new Probes(RUN_TAG, new Topology("abc", 2, partitions, 1, 2, 1), 0);
        probes.begin(1);
        return probes;
    }

    @Test
    void oneIsEnoughForATopicOfOnePartition() throws Exception {
        probes(1).send(sent, PayloadOwnership.COPIED_ON_SEND);
        assertThat(sent.keys).containsExactly((String) null);
    }

    @Test
    void theRoundsHitEveryPartitionByTheirKeys() throws Exception {
        int partitions = 64;
        Probes probes = probes(partitions);
        Set<Integer> hit = new HashSet<>();
        int rounds = 0;
        while (hit.size() < partitions) {
            assertThat(++rounds).as("rounds").isLessThan(50);
            probes.send(sent, PayloadOwnership.COPIED_ON_SEND);
            sent.keys.forEach(key -> hit.add(Math.floorMod(String.valueOf(key).hashCode(), partitions)));
        }
        assertThat(sent.keys).hasSize(rounds * partitions * 2);
    }

    /** Workers learn of a new series one after the other. */
    @Test
    void aProbeOfTheNextSeriesFromAnotherWorkerBeginsItHere() {
        Probes probes = probes(1);
        probes.arrived(1, 0, 0, 0);

        probes.arrived(2, 1, 0, 0);

        BitSet second = new BitSet();
        second.set(new Topology("abc", 2, 1, 1, 2, 1).probeIndex(1, 0, 0));
        assertThat(probes.arrived()).isEqualTo(second);
        assertThat(probes.onTheirWay()).isEqualTo(-1);
        probes.begin(2);
        assertThat(probes.arrived()).as("what came before it was told").isEqualTo(second);
        probes.arrived(1, 0, 0, 0);
        probes.arrived(77, 0, 0, 0);
        assertThat(probes.arrived()).as("other series do not count").isEqualTo(second);
    }

    @Test
    void aClientThatKeepsThePayloadGetsAFreshOneEachTime() throws Exception {
        probes(8).send(sent, PayloadOwnership.KEPT_AFTER_SEND);
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        arrays.addAll(sent.payloads);
        assertThat(arrays).hasSize(16);
    }

    @Test
    void theyCarryTheRunAndAMark() throws Exception {
        probes(4).send(sent, PayloadOwnership.COPIED_ON_SEND);
        assertThat(sent.payloads).allSatisfy(payload -> {
            assertThat(MessageHeader.isOfRun(payload, RUN_TAG)).isTrue();
            assertThat(MessageHeader.producer(payload)).isEqualTo(MessageHeader.PROBE);
            assertThat(MessageHeader.sequence(payload)).as("series").isEqualTo(1);
        });
    }

    @Test
    void whatADriverOverwritesIsToldWithTheValueToSet() {
        Probes probes = probes(1);
        byte[] clean = MessageHeader.probe(RUN_TAG, 1, 0);
        assertThat(probes.overwritten()).isEmpty();
        assertThat(MessageHeader.endsLikeProbe(clean, RUN_TAG)).isTrue();

        byte[] changed = clean.clone();
        Arrays.fill(changed, 0, 7, (byte) 0x55);
        assertThat(MessageHeader.endsLikeProbe(changed, RUN_TAG)).isTrue();
        probes.changed(changed);

        assertThat(probes.overwritten())
                .hasValueSatisfying(text -> assertThat(text).contains("{scratchBytes: 8}"));
    }

    @Test
    void scratchBytesThatAreTooFewAreAddedToTheValueToSet() throws Exception {
        Probes probes = new Probes(RUN_TAG, new Topology("abc", 1, 1, 1, 1, 1), 8);
        probes.begin(1);
        probes.send(sent, PayloadOwnership.KEPT_AFTER_SEND);
        assertThat(sent.payloads.get(0))
                .as("a header, and room for 8 bytes before it")
                .hasSize(40);
        byte[] changed = MessageHeader.probe(RUN_TAG, 1, 0);
        Arrays.fill(changed, 0, 16, (byte) 0x55);
        probes.changed(changed);

        assertThat(probes.overwritten())
                .hasValueSatisfying(text -> assertThat(text).contains("{scratchBytes: 24}"));
    }

    @Test
    void aTopicIsProbedUntilEveryWayFromItIsOpen() {
        Probes probes = probes(2);
        assertThat(probes.isMissing(0, new BitSet())).isTrue();
        probes.arrived(1, 0, 0, 0);
        probes.arrived(1, 0, 0, 1);
        probes.arrived(1, 0, 1, 1);
        assertThat(probes.isMissing(0, probes.arrived())).isTrue();
        probes.arrived(1, 0, 1, 0);
        assertThat(probes.isMissing(0, probes.arrived())).isFalse();
        assertThat(probes.isMissing(1, probes.arrived())).isTrue();
        assertThat(probes.arrived().cardinality()).isEqualTo(4);
    }

    @Test
    void aNewSeriesKnowsNothingOfTheOneBefore() throws Exception {
        Probes probes = probes(1);
        probes.send(sent, PayloadOwnership.COPIED_ON_SEND);
        probes.arrived(1, 0, 0, 0);
        probes.begin(2);
        assertThat(probes.arrived().isEmpty()).isTrue();
        assertThat(probes.onTheirWay()).isZero();
        probes.arrived(1, 0, 1, 0);
        assertThat(probes.arrived().isEmpty())
                .as("a late one of the first series")
                .isTrue();
        probes.begin(1);
        probes.begin(2);
        probes.arrived(2, 0, 1, 0);
        assertThat(probes.arrived().cardinality()).isEqualTo(1);
        assertThat(probes.onTheirWay()).isEqualTo(-1);
    }

    @Test
    void whatHasArrivedDoesNotChangeInTheHandsOfTheCaller() {
        Probes probes = probes(1);
        BitSet before = probes.arrived();
        probes.arrived(1, 1, 1, 0);
        assertThat(before.isEmpty()).isTrue();
        probes.arrived().clear();
        assertThat(probes.arrived().cardinality()).isEqualTo(1);
    }

    @Test
    void whatIsNeitherRefusedNorArrivedIsOnItsWay() throws Exception {
        Probes probes = probes(2);
        assertThat(probes.onTheirWay()).isZero();
        probes.send(sent, PayloadOwnership.COPIED_ON_SEND);
        assertThat(probes.onTheirWay()).as("four probes to two subscriptions").isEqualTo(8);
        probes.arrived(1, 0, 0, 1);
        probes.arrived(1, 0, 0, 1);
        sent.callbacks.get(3).failed(new DriverException("no leader"));
        sent.callbacks.get(2).acknowledged();
        assertThat(probes.onTheirWay()).isEqualTo(4);
    }

    @Test
    void theLastErrorIsKept() throws Exception {
        Probes probes = probes(2);
        assertThat(probes.lastError()).isEmpty();
        probes.send(sent, PayloadOwnership.COPIED_ON_SEND);
        sent.callbacks.get(0).failed(new DriverException("one"));
        sent.callbacks.get(1).failed(new DriverException("two"));
        sent.callbacks.get(2).acknowledged();
        assertThat(probes.lastError()).get().extracting(Throwable::getMessage).isEqualTo("two");
    }
}
