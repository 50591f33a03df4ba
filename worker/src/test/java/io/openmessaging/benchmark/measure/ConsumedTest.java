package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.worker.protocol.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumedTest {

    private static final long SECOND_NS = 1_000_000_000;

    private static Consumed.ConsumerCounts counts(long fromNs, long stepNs, int... sizes) {
        Consumed.ConsumerCounts counts = new Consumed.ConsumerCounts();
        long nowNs = fromNs;
        for (int size : sizes) {
            counts.note(size, nowNs, nowNs / 1_000_000 - 250);
            nowNs += stepNs;
        }
        return counts;
    }

    @Test
    void consumersOfAWorkerShareItsTime() {
        Consumed both = Consumed.of(List.of(
                counts(10 * SECOND_NS, SECOND_NS, 100, 300),
                counts(12 * SECOND_NS, SECOND_NS, 50),
                new Consumed.ConsumerCounts()));
        assertThat(both.messages()).isEqualTo(3);
        assertThat(both.bytes()).isEqualTo(450);
        assertThat(both.meanBytes()).isEqualTo(150);
        assertThat(both.smallestBytes()).isEqualTo(50);
        assertThat(both.largestBytes()).isEqualTo(300);
        assertThat(both.spanNs()).isEqualTo(2 * SECOND_NS);
        assertThat(both.messagesPerSecond()).isEqualTo(1.5);
        assertThat(both.ages().count()).isEqualTo(3);
        assertThat(both.ages().summary().minNs()).isEqualTo(250);
        assertThat(both.ages().summary().maxNs()).isEqualTo(250);
    }

    @Test
    void workersHaveClocksOfTheirOwn() {
        Consumed one = Consumed.of(List.of(counts(10 * SECOND_NS, SECOND_NS, 10, 10)));
        Consumed other = Consumed.of(List.of(counts(99 * SECOND_NS, SECOND_NS, 10, 20, 30)));
        assertThat(one.plus(other).spanNs()).isEqualTo(2 * SECOND_NS);
        assertThat(one.plus(other).messages()).isEqualTo(5);
        assertThat(Consumed.NOTHING.plus(one)).isEqualTo(one);
        assertThat(one.plus(Consumed.NOTHING)).isEqualTo(one);
    }

    @Test
    void aMessageWithoutATimeHasNoAge() {
        Consumed.ConsumerCounts counts = new Consumed.ConsumerCounts();
        counts.note(1, SECOND_NS, MessageListener.NO_TIME);
        counts.note(1, SECOND_NS, 1_001);
        Consumed consumed = Consumed.of(List.of(counts));
        assertThat(consumed.withoutTime()).isEqualTo(1);
        assertThat(consumed.ages().count()).isEqualTo(1);
        assertThat(consumed.ages().negativeCount()).isEqualTo(1);
        assertThat(consumed.messagesPerSecond()).isZero();
    }

    @Test
    void nothingIsNothing() {
        assertThat(Consumed.of(List.of())).isEqualTo(Consumed.NOTHING);
        assertThat(Consumed.NOTHING.meanBytes()).isZero();
    }

    @Test
    void itTravelsBetweenWorkers() {
        Consumed consumed = Consumed.of(List.of(counts(0, SECOND_NS, 1, 2)));
        assertThat(Wire.read(Wire.write(consumed), Consumed.class)).isEqualTo(consumed);
    }
}
