package io.openmessaging.benchmark.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.search.RateSearch.Try;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {

    /** A completed search and its tries. */
    private record Ended(RateSearch search, List<Try> tried) {

        double found() {
            return search.sustainableRateMsgPerSec().orElseThrow();
        }

        List<Double> shortTries() {
            return tried.stream()
                    .filter(next -> !next.confirming())
                    .map(Try::msgPerSec)
                    .toList();
        }

        List<Double> confirmingTries() {
            return tried.stream().filter(Try::confirming).map(Try::msgPerSec).toList();
        }
    }

    private static Ended search(double firstRate, Predicate<Try> sustained, DoubleUnaryOperator achieved) {
        RateSearch search = new RateSearch(firstRate);
        List<Try> tried = new ArrayList<>();
        for (Optional<Try> next = search.next(); next.isPresent(); next = search.next()) {
            assertThat(tried).as("the search goes on").hasSizeLessThan(RateSearch.MAX_TRIES);
            tried.add(next.get());
            search.report(
                    sustained.test(next.get()),
                    achieved.applyAsDouble(next.get().msgPerSec()));
        }
        return new Ended(search, tried);
    }

    /** Searches on a system that still achieves its capacity at higher rates. */
    private static Ended search(double firstRate, double capacity) {
        return search(firstRate, next -> next.msgPerSec() <= capacity, rate -> Math.min(rate, capacity));
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
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
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, capacity);

        assertThat(ended.found()).isLessThanOrEqualTo(capacity).isGreaterThanOrEqualTo(capacity * 0.95);
        assertThat(ended.search().refusedMsgPerSec()).isBetween(capacity, ended.found() * 1.051);
        // The search doubles from the first rate, or halves with two tries each; then the achieved rate shows where to
        // look.
        double doublings = Math.abs(Math.log(capacity / RateSearch.FIRST_RATE_MSG_PER_SEC) / Math.log(2));
        assertThat(ended.shortTries()).hasSizeLessThanOrEqualTo((int) (2 * Math.ceil(doublings)) + 5);
        assertThat(ended.confirmingTries()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void anyCapacityOverEightDecadesIsFound() {
        for (double capacity = 1; capacity <= 1e8; capacity *= 1.037) {
            double limit = capacity;
            assertThat(search(RateSearch.FIRST_RATE_MSG_PER_SEC, capacity).found())
                    .as("capacity %f", capacity)
                    .isBetween(capacity * 0.95, capacity);
            // This system gives no hint beyond its limit, since the bound is on its latencies.
            assertThat(search(RateSearch.FIRST_RATE_MSG_PER_SEC, next -> next.msgPerSec() <= limit, rate -> rate)
                            .found())
                    .as("capacity %f without guesses", capacity)
                    .isBetween(capacity * 0.95, capacity);
            // This system breaks down beyond its limit.
            assertThat(search(
                                    RateSearch.FIRST_RATE_MSG_PER_SEC,
                                    next -> next.msgPerSec() <= limit,
                                    rate -> rate <= limit ? rate : limit / 10)
                            .found())
                    .as("capacity %f of a system that breaks down", capacity)
                    .isBetween(capacity * 0.95, capacity);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.6})
    void aSystemThatSustainsNotEvenOneMessageASecondHasNoRate(double capacity) {
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, capacity);

        assertThat(ended.search().sustainableRateMsgPerSec()).isEmpty();
        assertThat(ended.search().lowestRefusedMsgPerSec()).isLessThanOrEqualTo(1);
        assertThat(ended.tried()).hasSizeLessThanOrEqualTo(30);
    }

    @Test
    void climbsByDoublingThenConfirmsWhatWasAchievedBeyondTheLimit() {
        Ended ended = search(100, 500);

        assertThat(ended.shortTries()).containsExactly(100.0, 200.0, 400.0, 800.0, 800.0);
        assertThat(ended.confirmingTries()).containsExactly(0.98 * 500, 0.98 * 500 * RateSearch.PRECISION);
        assertThat(ended.found()).isEqualTo(0.98 * 500);
    }

    @ParameterizedTest
    @CsvSource({
        // The tries are 100, 200, 400, 800 twice, then 490 and 514.5 for longer.
        "500, 1, 100, Infinity",
        "500, 4, 400, Infinity",
        "500, 5, 400, Infinity",
        "500, 6, 490, 800",
        "500, 7, 490, 514.5",
        // Nothing was sustained: the next rate is measured.
        "50, 1, 50, Infinity",
        "50, 2, 49, Infinity",
    })
    void aSearchThatHasToEndHasTheRateThatItKnowsOf(double capacity, int tries, double found, double refused) {
        RateSearch search = new RateSearch(100);
        for (int i = 0; i < tries; i++) {
            double rate = search.next().orElseThrow().msgPerSec();
            search.report(rate <= capacity, Math.min(rate, capacity));
        }
        search.end();
        assertThat(search.sustainableRateMsgPerSec().orElseThrow()).isCloseTo(found, within(1e-6));
        assertThat(search.refusedMsgPerSec()).isCloseTo(refused, within(1e-6));
    }

    @Test
    void wheneverASearchEndsItsRateIsBelowTheRefusedOne() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            RateSearch search = new RateSearch(1000);
            for (int i = random.nextInt(1, 20); i > 0 && search.next().isPresent(); i--) {
                double capacity = 50_000 * (0.5 + random.nextDouble());
                double rate = search.next().orElseThrow().msgPerSec();
                search.report(rate <= capacity, Math.min(rate, capacity));
            }
            search.end();
            assertThat(search.sustainableRateMsgPerSec().orElseThrow())
                    .as("seed %d", seed)
                    .isPositive()
                    .isLessThan(search.refusedMsgPerSec());
        }
    }

    @Test
    void withoutAGuessTheRatesBetweenAreBisected() {
        Ended ended = search(100, next -> next.msgPerSec() <= 500, rate -> rate);

        double highestSustained = 400;
        double lowestRefused = 800;
        for (double tried : ended.shortTries().subList(5, ended.shortTries().size())) {
            assertThat(tried).isBetween(highestSustained, lowestRefused);
            highestSustained = tried <= 500 ? tried : highestSustained;
            lowestRefused = tried <= 500 ? lowestRefused : tried;
        }
        assertThat(lowestRefused / highestSustained).isLessThanOrEqualTo(1.1);
        assertThat(ended.found()).isBetween(500 / RateSearch.PRECISION, 500.0);
    }

    @Test
    void aSystemWithoutALimitEndsTheSearchAllTheSame() {
        Ended ended = search(RateSearch.FIRST_RATE_MSG_PER_SEC, next -> true, rate -> rate);

        assertThat(ended.shortTries()).hasSize(RateSearch.MAX_SHORT_TRIES);
        assertThat(ended.confirmingTries()).hasSize(RateSearch.MAX_CONFIRMING_TRIES);
        assertThat(ended.search().lowestRefusedMsgPerSec()).isInfinite();
    }

    @Test
    void whatOnlyShortTriesSustainIsNotFound() {
        // A pause occurs every minute: short tries fit between two pauses, longer ones contain one.
        Ended ended = search(
                1_000, next -> next.msgPerSec() <= (next.confirming() ? 8_800 : 10_000), rate -> Math.min(rate, 8_800));
        assertThat(ended.found()).isBetween(8_800 / RateSearch.PRECISION, 8_800.0);
    }

    @Test
    void aRateThatNoLongerTryHoldsIsNotConfirmed() {
        Ended ended = search(1_000, next -> !next.confirming() && next.msgPerSec() <= 10_000, rate -> rate);
        assertThat(ended.search().sustainableRateMsgPerSec()).isEmpty();
        assertThat(ended.confirmingTries()).hasSize(RateSearch.MAX_CONFIRMING_TRIES);
        assertThat(ended.search().lowestRefusedMsgPerSec())
                .isEqualTo(ended.confirmingTries().get(RateSearch.MAX_CONFIRMING_TRIES - 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {3_000, 21_000, 77_000, 1_000_000})
    void twoBadTriesDoNotKeepHigherRatesFromBeingTried(double capacity) {
        for (int bad = 0; bad < 8; bad++) {
            int[] tries = {0};
            int first = bad;
            Ended ended = search(
                    1_000,
                    next -> {
                        boolean hiccup = tries[0] == first || tries[0] == first + 1;
                        tries[0]++;
                        return next.msgPerSec() <= capacity && !(hiccup && !next.confirming());
                    },
                    rate -> Math.min(rate, capacity) / (tries[0] - 1 == first ? 2 : 1));
            assertThat(ended.found())
                    .as("tries %d and %d are bad", bad, bad + 1)
                    .isBetween(capacity * 0.95, capacity);
        }
    }

    @Test
    void oneGoodTryAcceptsNothing() {
        for (int good = 0; good < 10; good++) {
            int[] tries = {0};
            int lucky = good;
            Ended ended = search(
                    1_000,
                    next -> (tries[0]++ == lucky && !next.confirming()) || next.msgPerSec() <= 7_000,
                    rate -> Math.min(rate, 7_000));
            assertThat(ended.found()).as("try %d is good", good).isBetween(7_000 * 0.95, 7_000.0);
        }
    }

    @Test
    void aCapacityThatChangesFromTryToTryNeitherLoopsNorGivesARateThatWasNotConfirmed() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            List<Double> confirmed = new ArrayList<>();
            Ended ended = search(
                    RateSearch.FIRST_RATE_MSG_PER_SEC,
                    next -> {
                        boolean kept = next.msgPerSec() <= 50_000 * (0.5 + random.nextDouble());
                        if (kept && next.confirming()) {
                            confirmed.add(next.msgPerSec());
                        }
                        return kept;
                    },
                    rate -> Math.min(rate, 50_000 * (0.5 + random.nextDouble())));
            ended.search()
                    .sustainableRateMsgPerSec()
                    .ifPresent(found -> assertThat(confirmed).contains(found));
            assertThat(ended.search().sustainableRateMsgPerSec().orElse(0)).isLessThanOrEqualTo(75_000);
        }
    }

    @Test
    void aRateIsTriedAgainBeforeAShortTryRefusesIt() {
        RateSearch search = new RateSearch(100);
        search.report(false, 50);
        assertThat(search.next()).hasValue(new Try(100, false));
        assertThat(search.lowestRefusedMsgPerSec()).isInfinite();
        search.report(true, 100);
        assertThat(search.next()).hasValue(new Try(200, false));
        search.report(false, 150);
        search.report(false, 140);
        assertThat(search.lowestRefusedMsgPerSec()).isEqualTo(200);
        assertThat(search.next()).hasValue(new Try(0.98 * 150, true));
    }

    @Test
    void isNotOverBeforeItHasBegun() {
        RateSearch search = new RateSearch(10_000);
        assertThat(search.next()).hasValue(new Try(10_000, false));
        assertThat(search.next()).as("asking again changes nothing").hasValue(new Try(10_000, false));
        assertThat(search.sustainableRateMsgPerSec()).isEmpty();
    }

    @Test
    void whatAMeasurementAchievedTakesThePlaceOfTheRateThatItDidNotHold() {
        Ended ended = search(1_000, 5_000);
        double held = ended.found();
        ended.search().missed(held, 0.9 * held, true);
        assertThat(ended.found()).isEqualTo(0.9 * held);
        assertThat(ended.search().refusedMsgPerSec()).isEqualTo(held);
        assertThat(ended.search().lowestRefusedMsgPerSec()).isEqualTo(held);

        ended.search().missed(0.9 * held, 1, true);
        assertThat(ended.found()).as("a collapse says little").isEqualTo(0.45 * held);
        ended.search().missed(held, held, true);
        assertThat(ended.found()).as("never more").isEqualTo(0.45 * held);
    }

    @Test
    void aShortMeasurementOverrulesOnlyARateThatNoConfirmingTryHeld() {
        Ended ended = search(1_000, 5_000);
        double held = ended.found();
        ended.search().missed(held, 0.9 * held, false);
        assertThat(ended.found()).isEqualTo(held);

        RateSearch cut = new RateSearch(100);
        cut.report(true, 100);
        cut.end();
        assertThat(cut.sustainableRateMsgPerSec()).hasValue(100);
        cut.missed(100, 97, false);
        assertThat(cut.sustainableRateMsgPerSec()).hasValue(97);
        assertThat(cut.refusedMsgPerSec()).as("a system at its limit is late").isInfinite();
    }

    @Test
    void aMeasurementRefusesTheRateThatItWasAt() {
        Ended ended = search(1_000, 5_000);
        double lower = 0.8 * ended.found();
        ended.search().missed(lower, 0.9 * lower, true);
        assertThat(ended.search().refusedMsgPerSec())
                .as("not the higher rate that was found")
                .isEqualTo(lower);
        assertThat(ended.found()).isEqualTo(0.9 * lower);
    }
}
