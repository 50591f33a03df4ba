package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Allocations;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceSetTest {

    private static final long ERA = 1L << 32;
    private static final int SPAN = 5 * SequenceSet.PAGE_LENGTH;

    private static SequenceSet of(long... numbers) {
        SequenceSet set = new SequenceSet();
        for (long number : numbers) {
            set.add(number);
        }
        return set;
    }

    private static SequenceSet ofRange(long from, long to) {
        SequenceSet set = new SequenceSet();
        set.addRange(from, to);
        return set;
    }

    /** Asserts that the set has exactly the numbers of the model, which starts at {@code base}. */
    private static void assertSame(SequenceSet set, BitSet model, long base) {
        assertThat(set.cardinality()).isEqualTo(model.cardinality());
        for (int i = 0; i < SPAN; i++) {
            if (set.contains(base + i) != model.get(i)) {
                assertThat(set.contains(base + i)).as("contains %d", base + i).isEqualTo(model.get(i));
            }
        }
    }

    /** Fills a set and its model with the same random calls. */
    private static void fill(SequenceSet set, BitSet model, long base, Random random) {
        for (int call = 0; call < 20; call++) {
            int from = random.nextInt(SPAN);
            switch (random.nextInt(3)) {
                case 0 -> {
                    set.add(base + from);
                    model.set(from);
                }
                case 1 -> {
                    int to = Math.min(SPAN, from + random.nextInt(2 * SequenceSet.PAGE_LENGTH));
                    set.addRange(base + from, base + to);
                    model.set(from, to);
                }
                default -> {
                    long page = base + from >>> SequenceSet.PAGE_BITS;
                    int pageAt = (int) ((page << SequenceSet.PAGE_BITS) - base);
                    long[] bits = new long[SequenceSet.PAGE_LENGTH / Long.SIZE];
                    for (int i = random.nextInt(200); i >= 0; i--) {
                        int bit = random.nextInt(SequenceSet.PAGE_LENGTH);
                        bits[bit / Long.SIZE] |= 1L << bit;
                        model.set(pageAt + bit);
                    }
                    set.addPage(page, bits);
                }
            }
        }
    }

    /** The sets lie within the first era, across its end, and far beyond it. */
    @ParameterizedTest
    @ValueSource(longs = {0, ERA - 2 * SequenceSet.PAGE_LENGTH, ERA, 3 * ERA - SequenceSet.PAGE_LENGTH})
    void itHasWhatWasAdded(long base) {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            SequenceSet set = new SequenceSet();
            BitSet model = new BitSet();
            fill(set, model, base, random);
            assertSame(set, model, base);
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(SPAN);
                assertThat(set.countFrom(base + from))
                        .isEqualTo(model.get(from, SPAN).cardinality());
                int present = model.nextSetBit(from);
                assertThat(set.nextPresent(base + from)).isEqualTo(present < 0 ? Long.MAX_VALUE : base + present);
                assertThat(set.nextAbsent(base + from)).isEqualTo(base + model.nextClearBit(from));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, ERA - 2 * SequenceSet.PAGE_LENGTH})
    void twoSetsAreIntersectedAddedAndSubtracted(long base) {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            SequenceSet a = new SequenceSet();
            SequenceSet b = new SequenceSet();
            BitSet modelA = new BitSet();
            BitSet modelB = new BitSet();
            fill(a, modelA, base, random);
            fill(b, modelB, base, random);

            BitSet common = (BitSet) modelA.clone();
            common.and(modelB);
            assertSame(a.common(b), common, base);
            assertSame(b.common(a), common, base);

            SequenceSet difference = new SequenceSet();
            difference.addAll(a);
            difference.removeAll(b);
            BitSet modelDifference = (BitSet) modelA.clone();
            modelDifference.andNot(modelB);
            assertSame(difference, modelDifference, base);

            SequenceSet sum = new SequenceSet();
            sum.addAll(a);
            sum.addAll(b);
            BitSet modelSum = (BitSet) modelA.clone();
            modelSum.or(modelB);
            assertSame(sum, modelSum, base);

            sum.addRange(base, base + SPAN);
            assertSame(a, modelA, base);
            assertSame(b, modelB, base);
        }
    }

    @Test
    void setsOfDifferentErasHaveNothingInCommon() {
        SequenceSet low = of(5);
        SequenceSet high = of(ERA + 5);
        assertThat(low.common(high).cardinality()).isZero();
        low.removeAll(high);
        high.removeAll(low);
        assertThat(low.cardinality()).isEqualTo(1);
        assertThat(high.cardinality()).isEqualTo(1);
        low.addAll(high);
        assertThat(low.contains(5)).isTrue();
        assertThat(low.contains(ERA + 5)).isTrue();
        assertThat(low.cardinality()).isEqualTo(2);
    }

    @Test
    void anEmptySet() {
        SequenceSet empty = new SequenceSet();
        assertThat(empty.cardinality()).isZero();
        assertThat(empty.contains(0)).isFalse();
        assertThat(empty.countFrom(0)).isZero();
        assertThat(empty.nextPresent(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(empty.nextAbsent(7)).isEqualTo(7);
        empty.addRange(9, 9);
        assertThat(empty.cardinality()).isZero();
    }

    @Test
    void wholeErasAreCountedAndPassed() {
        SequenceSet set = ofRange(0, 2 * ERA + 10);
        assertThat(set.cardinality()).isEqualTo(2 * ERA + 10);
        assertThat(set.nextAbsent(0)).isEqualTo(2 * ERA + 10);
        assertThat(set.nextAbsent(ERA - 1)).isEqualTo(2 * ERA + 10);
        assertThat(set.countFrom(ERA - 1)).isEqualTo(ERA + 11);
        assertThat(set.countFrom(ERA)).isEqualTo(ERA + 10);
        assertThat(set.common(set).cardinality()).isEqualTo(2 * ERA + 10);
        assertThat(of(3 * ERA + 7).nextPresent(1)).isEqualTo(3 * ERA + 7);
        assertThat(of(3 * ERA + 7).nextPresent(3 * ERA + 8)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void runsCostNextToNothing() {
        assertThat(ofRange(0, 1_000_000).cardinality())
                .as("warms up what is measured below")
                .isEqualTo(1_000_000);
        assertThat(Allocations.bytesOf(() -> ofRange(0, 1_000_000_000)))
                .as("bytes for a billion numbers in a row")
                .isLessThan(10_000_000);
    }

    @Test
    void theLastBelowANumber() {
        SequenceSet set = new SequenceSet();
        assertThat(set.lastBelow(10)).isEqualTo(-1);
        set.add(0);
        set.addRange(5, 8);
        set.add((1L << 32) + 3);
        assertThat(set.lastBelow(0)).isEqualTo(-1);
        assertThat(set.lastBelow(1)).isZero();
        assertThat(set.lastBelow(5)).isZero();
        assertThat(set.lastBelow(7)).isEqualTo(6);
        assertThat(set.lastBelow(1L << 32)).isEqualTo(7);
        assertThat(set.lastBelow((1L << 32) + 3)).isEqualTo(7);
        assertThat(set.lastBelow((1L << 32) + 4)).isEqualTo((1L << 32) + 3);
        assertThat(set.lastBelow(1L << 40)).isEqualTo((1L << 32) + 3);
    }
}
