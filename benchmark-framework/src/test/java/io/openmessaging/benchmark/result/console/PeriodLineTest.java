package io.openmessaging.benchmark.result.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.ResultFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PeriodLineTest {

    private static final Totals COUNTS = new Totals(12_000, 12_000, 0, List.of(11_000L, 11_500L), 0);
    private static final Totals TOTALS = new Totals(20_000, 19_990, 0, List.of(19_000L, 19_990L), 0);
    private static final Totals NOTHING = Totals.none(1);

    private static PeriodSnapshot period() {
        return ResultFixture.period(0, 10, COUNTS, TOTALS);
    }

    @Test
    void showsAPeriod() {
        assertThat(PeriodLine.render("measure", Duration.ofSeconds(25), period(), TOTALS))
                .isEqualTo("measure         25s left | pub     1,200 con     2,250 msg/s"
                        + " | p99 pub 12.0 ms e2e  2.50 s | backlog 1,010");
    }

    @Test
    void keepsItsColumns() {
        String first = PeriodLine.render("measure", Duration.ofSeconds(5), period(), TOTALS);
        PeriodSnapshot faster =
                ResultFixture.period(0, 10, new Totals(30_000_000, 12_345_678, 0, List.of(0L, 0L), 0), TOTALS);
        String second = PeriodLine.render("backlog-drain", null, faster, TOTALS);
        assertThat(second).hasSameSizeAs(first).contains("pub 1,234,568 con         0 msg/s");
    }

    @Test
    void showsThatNothingWasMeasured() {
        PeriodSnapshot paused = ResultFixture.without(period(), Latency.END_TO_END);
        assertThat(PeriodLine.render("backlog-build", null, paused, TOTALS)).contains("e2e       - |");
    }

    @Test
    void showsNoConsumersWhereThereAreNone() {
        Totals sendOnly = new Totals(10_000, 10_000, 0, List.of(), 0);
        PeriodSnapshot period = ResultFixture.without(
                ResultFixture.period(0, 10, sendOnly, sendOnly), Latency.END_TO_END, Latency.SCHEDULED_END_TO_END);
        assertThat(PeriodLine.render("measure", null, period, sendOnly))
                .isEqualTo(
                        "measure                  | pub     1,000 con         - msg/s | p99 pub 12.0 ms e2e       -");
    }

    @Test
    void showsWhatIsKnownBeforeTheFirstPeriod() {
        assertThat(PeriodLine.render("ready", null, null, NOTHING)).isEqualTo("ready");
        assertThat(PeriodLine.render("warm-up", Duration.ofSeconds(61), null, NOTHING))
                .isEqualTo("warm-up       1m01s left");
        assertThat(PeriodLine.render("measure", Duration.ofSeconds(9), null, TOTALS))
                .isEqualTo("measure          9s left | sent 20,000 | backlog 1,010");
    }
}
