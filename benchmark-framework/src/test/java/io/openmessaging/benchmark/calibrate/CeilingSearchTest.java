package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CeilingSearchTest {

    private final CeilingSearch search = new CeilingSearch(1.05);

    private List<Double> trials(DoublePredicate held) {
        List<Double> rates = new ArrayList<>();
        for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
            rates.add(next.getAsDouble());
            search.report(held.test(next.getAsDouble()));
        }
        return rates;
    }

    @ParameterizedTest
    @CsvSource({
        // The true limit, and how many trials its search may take.
        "1_000,       19",
        "5_000,       16",
        "99_999,      16",
        "999_999,     16",
        "1_000_000,   15",
        "4_200_000,   17",
        "39_999_999,  20",
    })
    void findsTheLimitToItsPrecision(String limit, int mostTrials) {
        double limitMsgPerSec = Double.parseDouble(limit.replace("_", ""));

        List<Double> rates = trials(rate -> rate <= limitMsgPerSec);

        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(limitMsgPerSec / 1.05, limitMsgPerSec);
        assertThat(rates).hasSizeLessThanOrEqualTo(mostTrials);
    }

    @Test
    void triesEveryRungOfTheLadderWhateverBecomesOfTheOneBelow() {
        assertThat(trials(rate -> false)).containsExactly(1e3, 1e3, 1e4, 1e4, 1e5, 1e5, 1e6, 1e6);
        assertThat(search.ceilingMsgPerSec()).isEmpty();
    }

    @Test
    void doublesFromTheLadderThenBisects() {
        List<Double> rates = trials(rate -> rate <= 3e6);

        assertThat(rates.subList(0, 7)).containsExactly(1e3, 1e4, 1e5, 1e6, 2e6, 4e6, 4e6);
        assertThat(rates.get(7)).isBetween(2.82e6, 2.83e6);
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
        assertThat(search.ceilingMsgPerSec()).hasValue(2e6);
    }

    @Test
    void aHigherRateThatHeldRefutesALowerOneThatDidNot() {
        trials(rate -> rate != 1e4 && rate <= 1e5);

        assertThat(search.ceilingMsgPerSec().orElseThrow()).isBetween(1e5, 1.05e5);
    }

    @Test
    void endsEvenIfEveryRateIsHeld() {
        assertThat(trials(rate -> true)).hasSize(CeilingSearch.MAX_TRIALS);
    }
}
