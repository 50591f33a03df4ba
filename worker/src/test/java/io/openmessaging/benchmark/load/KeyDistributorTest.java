package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDistributorTest {

    private static List<String> take(KeyDistributor keys, int count) {
        List<String> taken = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String key = keys.next(0);
            assertThat(key).isNotNull();
            taken.add(key);
        }
        return taken;
    }

    @Test
    void producersThatAreInTurnKeepApart() {
        for (int producers : new int[] {2, 16, 100}) {
            Set<String> used = new HashSet<>();
            int each = KeyDistributor.KEY_COUNT / 4 / producers;
            for (int producer = 0; producer < producers; producer++) {
                used.addAll(take(KeyDistributor.roundRobin(producer), each));
            }
            assertThat(used).as("keys of %d producers", producers).hasSize(each * producers);
        }
    }

    @Test
    void noKeysAreNull() {
        assertThat(KeyDistributor.none().next(0)).isNull();
    }

    @Test
    void allKeysComeInTurn() {
        KeyDistributor keys = KeyDistributor.roundRobin(0);
        List<String> first = take(keys, KeyDistributor.KEY_COUNT);
        assertThat(new HashSet<>(first)).hasSize(KeyDistributor.KEY_COUNT);
        assertThat(take(keys, KeyDistributor.KEY_COUNT)).isEqualTo(first);
    }

    @Test
    void keysAreTheSameInEveryRunAndThread() {
        assertThat(take(KeyDistributor.roundRobin(0), 100)).isEqualTo(take(KeyDistributor.roundRobin(0), 100));
        assertThat(take(KeyDistributor.roundRobin(0), KeyDistributor.KEY_COUNT))
                .containsAll(take(KeyDistributor.random(1), 100));
    }

    @Test
    void aKeyIsShortText() {
        assertThat(take(KeyDistributor.roundRobin(0), 100)).allMatch(key -> key.matches("[A-Za-z0-9_-]{10}"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, -1, Long.MIN_VALUE, 123_456_789})
    void randomKeysAreAllUsedAboutEquallyOften(long seed) {
        int each = 100;
        Map<String, Integer> counts = new HashMap<>();
        take(KeyDistributor.random(seed), each * KeyDistributor.KEY_COUNT)
                .forEach(key -> counts.merge(key, 1, Integer::sum));
        assertThat(counts).hasSize(KeyDistributor.KEY_COUNT);
        // Seven standard deviations of a count of a hundred.
        assertThat(counts.values()).allMatch(count -> Math.abs(count - each) <= 70);
        double chiSquare = counts.values().stream()
                .mapToDouble(count -> (double) (count - each) * (count - each) / each)
                .sum();
        assertThat(chiSquare).as("χ² of %d keys", KeyDistributor.KEY_COUNT).isBetween(9_300.0, 10_700.0);
    }

    @Test
    void aSeedGivesTheSameKeysAndAnotherSeedOthers() {
        assertThat(take(KeyDistributor.random(5), 50)).isEqualTo(take(KeyDistributor.random(5), 50));
        assertThat(take(KeyDistributor.random(5), 50)).isNotEqualTo(take(KeyDistributor.random(7), 50));
    }

    @Test
    void zipfsKeysAreAsFrequentAsTheLawSays() {
        KeyDistributor keys = KeyDistributor.zipf(1);
        Map<String, Integer> counts = new HashMap<>();
        int messages = 1_000_000;
        for (int i = 0; i < messages; i++) {
            counts.merge(String.valueOf(keys.next(0)), 1, Integer::sum);
        }
        List<Integer> byRank =
                counts.values().stream().sorted(Comparator.reverseOrder()).toList();
        double sum = 0;
        for (int rank = 1; rank <= KeyDistributor.KEY_COUNT; rank++) {
            sum += Math.pow(rank, -KeyDistributor.ZIPF_EXPONENT);
        }
        for (int rank : new int[] {1, 2, 3, 10, 30}) {
            double expected = messages * Math.pow(rank, -KeyDistributor.ZIPF_EXPONENT) / sum;
            assertThat((double) byRank.get(rank - 1))
                    .as("rank %d", rank)
                    .isCloseTo(expected, within(6 * Math.sqrt(expected) + 0.01 * expected));
        }
        assertThat(counts.size()).isGreaterThan(9_900);
    }

    @Test
    void zipfsKeysAreTheSameInEveryThreadAndTheirOrderIsNot() {
        KeyDistributor one = KeyDistributor.zipf(1);
        KeyDistributor again = KeyDistributor.zipf(1);
        KeyDistributor other = KeyDistributor.zipf(2);
        List<String> ofOne = Stream.generate(() -> one.next(0)).limit(100).toList();
        assertThat(Stream.generate(() -> again.next(0)).limit(100)).isEqualTo(ofOne);
        assertThat(Stream.generate(() -> other.next(0)).limit(100)).isNotEqualTo(ofOne);
    }
}
