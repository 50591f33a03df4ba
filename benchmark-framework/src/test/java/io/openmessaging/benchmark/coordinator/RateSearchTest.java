package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {

    /** A search that has ended, and the rates it has tried, once or twice. */
    private record Ended(RateSearch search, List<Double> tried) {

        double found() {
            return search.sustainableRateMsgPerSec().orElseThrow();
        }
    }

    private static Ended search(double firstRate, DoublePredicate sustained) {
        RateSearch search = new RateSearch(firstRate);
        List<Double> tried = new ArrayList<>();
        int tries = 0;
        for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
            assertThat(tries++).as("the search goes on").isLessThan(RateSearch.MAX_STEPS);
            if (tried.isEmpty() || tried.get(tried.size() - 1) != next.getAsDouble()) {
                tried.add(next.getAsDouble());
            }
            search.report(sustained.test(next.getAsDouble()));
        }
        return new Ended(search, tried);
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.7,
                1,
                1.3,
                9.99,
                10,
                77,
                612.5,
                5_000,
                9_999.99,
                10_000,
                10_001,
                14_142,
                20_000,
                39_999,
                123_456,
                1_000_000,
                5_242_880,
                33_333_333,
                100_000_000
            })
    void findsTheCapacityOfASystemToWithinFivePercent(double capacity) {
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> rate <= capacity);

        assertThat(ended.found()).isLessThanOrEqualTo(capacity).isGreaterThanOrEqualTo(capacity * 0.95);
        // From the first rate by doubling or halving, and four times between two rates.
        double doublings = Math.abs(Math.log(capacity / RateSearch.FIRST_RATE_MSG_PER_SEC) / Math.log(2));
        assertThat(ended.tried()).hasSizeLessThanOrEqualTo((int) Math.ceil(doublings) + 1 + 5);
    }

    @Test
    void anyCapacityOverEightDecadesIsFound() {
        for (double capacity = 0.7; capacity <= 1e8; capacity *= 1.037) {
            double limit = capacity;
            assertThat(search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> rate <= limit)
                            .found())
                    .as("capacity %f", capacity)
                    .isBetween(capacity * 0.95, capacity);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.6})
    void aSystemThatSustainsNotEvenOneMessageASecondHasNoRate(double capacity) {
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> rate <= capacity);

        assertThat(ended.search().sustainableRateMsgPerSec()).isEmpty();
        assertThat(ended.search().lowestRefusedMsgPerSec()).isLessThanOrEqualTo(1);
        assertThat(ended.tried())
                .hasSizeLessThanOrEqualTo(15)
                .endsWith(ended.search().lowestRefusedMsgPerSec());
    }

    @Test
    void climbsByDoublingThenBisectsBetweenTheHighestSustainedAndTheLowestRefused() {
        Ended ended = search(100, rate -> rate <= 500);

        assertThat(ended.tried().subList(0, 4)).containsExactly(100.0, 200.0, 400.0, 800.0);
        double highestSustained = 400;
        double lowestRefused = 800;
        for (double tried : ended.tried().subList(4, ended.tried().size())) {
            assertThat(tried).isStrictlyBetween(highestSustained, lowestRefused);
            if (tried <= 500) {
                highestSustained = tried;
            } else {
                lowestRefused = tried;
            }
        }
        assertThat(ended.found()).isEqualTo(highestSustained);
        assertThat(lowestRefused / highestSustained).isLessThanOrEqualTo(RateSearch.PRECISION);
    }

    @Test
    void aSystemWithoutALimitEndsTheSearchAllTheSame() {
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> true);

        assertThat(ended.tried()).hasSize(RateSearch.MAX_STEPS);
        assertThat(ended.found()).isEqualTo(ended.tried().get(RateSearch.MAX_STEPS - 1));
        assertThat(ended.search().lowestRefusedMsgPerSec()).isInfinite();
    }

    @Test
    void aCapacityThatChangesFromStepToStepNeitherLoopsNorGivesARateThatWasRefused() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            List<Double> sustained = new ArrayList<>();
            Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> {
                boolean kept = rate <= 50_000 * (0.5 + random.nextDouble());
                if (kept) {
                    sustained.add(rate);
                }
                return kept;
            });
            assertThat(sustained).as("seed %d", seed).contains(ended.found());
            assertThat(ended.found()).as("seed %d", seed).isLessThanOrEqualTo(75_000);
        }
    }

    @Test
    void aCapacityThatIsPureChanceEndsWithinTheBound() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> random.nextBoolean());
            assertThat(ended.tried()).as("seed %d", seed).hasSizeLessThanOrEqualTo(RateSearch.MAX_STEPS);
        }
    }

    @Test
    void aRateIsRefusedOnlyWhenItWasRefusedTwice() {
        RateSearch search = new RateSearch(100);
        search.report(false);
        assertThat(search.next()).hasValue(100);
        assertThat(search.lowestRefusedMsgPerSec()).isInfinite();
        search.report(true);
        assertThat(search.next()).hasValue(200);
        search.report(false);
        search.report(false);
        assertThat(search.lowestRefusedMsgPerSec()).isEqualTo(200);
        assertThat(search.next().orElseThrow()).isStrictlyBetween(100.0, 200.0);
    }

    @Test
    void oneHiccupInAStepChangesNothing() {
        for (int hiccup = 0; hiccup < 20; hiccup++) {
            int[] tries = {0};
            int at = hiccup;
            Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, rate -> rate <= 77_000 && tries[0]++ != at);
            assertThat(ended.found()).as("hiccup %d", hiccup).isBetween(77_000 * 0.95, 77_000.0);
        }
    }

    @Test
    void isNotOverBeforeItHasBegun() {
        RateSearch search = new RateSearch(10_000);
        assertThat(search.next()).hasValue(10_000);
        assertThat(search.next()).as("asking again changes nothing").hasValue(10_000);
        assertThat(search.sustainableRateMsgPerSec()).isEmpty();
    }
}
