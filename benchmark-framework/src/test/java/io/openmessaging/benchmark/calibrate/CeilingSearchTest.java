package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.search.RateSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CeilingSearchTest {

    private CeilingSearch search = new CeilingSearch(1.05);

    /**
     * The rates that a search tries on a harness that sends late beyond its limit but reaches every requested rate.
     */
    private List<Double> trials(DoublePredicate held) {
        return trials(held, rate -> rate);
    }

    private List<Double> trials(DoublePredicate held, DoubleUnaryOperator achieved) {
        List<Double> rates = new ArrayList<>();
        for (Optional<RateSearch.Try> next = search.next(); next.isPresent(); next = search.next()) {
            double rate = next.get().msgPerSec();
            rates.add(rate);
            search.report(held.test(rate), achieved.applyAsDouble(rate));
        }
        return rates;
    }

    @ParameterizedTest
    @CsvSource({
        // true limit, most trials of the search with guesses, most trials without guesses
        "1_000,       13, 20",
        "5_000,       13, 20",
        "99_999,      13, 20",
        "999_999,     13, 20",
        "1_000_000,   10, 17",
        "4_200_000,   13, 20",
        "39_999_999,  16, 23",
    })
    void findsTheLimitToItsPrecision(String limit, int mostTrials, int mostWithoutGuesses) {
        double limitMsgPerSec = Double.parseDouble(limit.replace("_", ""));

        List<Double> rates = trials(rate -> rate <= limitMsgPerSec);
        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(limitMsgPerSec / 1.05, limitMsgPerSec);
        assertThat(rates).hasSizeLessThanOrEqualTo(mostWithoutGuesses);

        search = new CeilingSearch(1.05);
        rates = trials(rate -> rate <= limitMsgPerSec, rate -> Math.min(rate, limitMsgPerSec));
        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(limitMsgPerSec / 1.05, limitMsgPerSec);
        assertThat(rates).hasSizeLessThanOrEqualTo(mostTrials);
    }

    @Test
    void triesEveryRungOfTheLadderWhateverBecomesOfTheOneBelow() {
        assertThat(trials(rate -> false)).containsExactly(1e3, 1e3, 1e4, 1e4, 1e5, 1e5, 1e6, 1e6);
        assertThat(search.ceilingMsgPerSec()).isEmpty();
    }

    @Test
    void doublesFromTheLadderThenConfirmsWhatWasAchievedBeyond() {
        List<Double> rates = trials(rate -> rate <= 3e6, rate -> Math.min(rate, 3e6));

        assertThat(rates).containsExactly(1e3, 1e4, 1e5, 1e6, 2e6, 4e6, 4e6, 2.94e6, 3.087e6);
        assertThat(search.ceilingMsgPerSec()).hasValue(2.94e6);
    }

    @Test
    void aRateRefusedOnceIsTriedAgainAndMayStillHold() {
        List<Double> tried = new ArrayList<>();
        List<Double> rates = trials(rate -> {
            boolean hiccup = rate == 1e6 && !tried.contains(rate);
            tried.add(rate);
            return rate <= 2e6 && !hiccup;
        });

        assertThat(rates.subList(0, 6)).containsExactly(1e3, 1e4, 1e5, 1e6, 1e6, 2e6);
    }

    @Test
    void whatOneShortTrialHasHeldIsNotTheCeiling() {
        // Others use the machine most of the time, but not during the first trials.
        int[] trials = {0};
        trials(rate -> rate <= (++trials[0] < 8 ? 4e6 : 2e6), rate -> Math.min(rate, 4e6));

        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(2e6 / 1.05, 2e6);
    }

    @Test
    void aHigherRateThatHeldRefutesALowerOneThatDidNot() {
        trials(rate -> rate != 1e4 && rate <= 1e5);

        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(1e5, 1.05e5);
    }

    @Test
    void endsEvenIfEveryRateIsHeld() {
        assertThat(trials(rate -> true)).hasSizeLessThanOrEqualTo(CeilingSearch.MAX_TRIALS);
    }
}
