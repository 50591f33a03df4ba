package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.Search;
import io.openmessaging.benchmark.result.RunResult.SearchStep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a result says for the rate that a search found. */
class SearchBasisTest {

    private static final Breach LATE = new Breach("pace", "late");
    private static final SearchStep REFUSED = new SearchStep(200, 150, 0, LATE, true);

    private static String basis(SearchStep... steps) {
        return new Search(100.0, null, List.of(steps), null).basis();
    }

    @Test
    void aLongerTryIsNamedOnlyIfItHeldTheRate() {
        SearchStep held = new SearchStep(100, 100, 0, null, false);
        SearchStep longer = new SearchStep(100, 99, 0, null, true);
        assertThat(basis(held, REFUSED)).isEqualTo("was held in a short try only");
        assertThat(basis(held, longer)).isEqualTo("was held in a longer try");
        assertThat(basis(new SearchStep(100, 99, 0, LATE, true)))
                .isEqualTo("is a guess from higher rates, which were refused");
    }

    @Test
    void whatAMeasurementAchievedIsNoTry() {
        SearchStep measured = new SearchStep(110, 100, 0, new Breach(SearchStep.MEASUREMENT, "late"), true);
        assertThat(basis(REFUSED, measured)).isEqualTo("was achieved in a measurement at a higher rate");
        SearchStep collapsed = new SearchStep(200, 10, 0, new Breach(SearchStep.MEASUREMENT, "late"), true);
        assertThat(basis(REFUSED, collapsed)).isEqualTo("is a guess from higher rates, which were refused");
    }
}
