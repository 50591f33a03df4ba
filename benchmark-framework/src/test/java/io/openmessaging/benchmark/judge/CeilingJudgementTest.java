package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CeilingJudgementTest {

    private static final double CEILING_MSG_PER_SEC = 1_000_000;

    private static List<PeriodSnapshot> tenSecondsWith(long sent) {
        Totals counts = new Totals(sent, sent, 0, List.of(sent), 0);
        return List.of(new PeriodSnapshot(0, TimeUnit.SECONDS.toNanos(10), counts, counts, Map.of()));
    }

    private static List<Finding> judge(List<PeriodSnapshot> measured, @Nullable Double target) {
        Judge judge = new Judge();
        WorkerSeen.Equipment equipment = new WorkerSeen.Equipment(1, CEILING_MSG_PER_SEC, "host", false);
        judge.judgeCeilings(
                measured,
                target == null ? OptionalDouble.empty() : OptionalDouble.of(target),
                List.of(new WorkerSeen("harness", 1, 1, equipment, null, null)));
        return judge.findings();
    }

    @ParameterizedTest
    @CsvSource({
        // target rate per second, messages sent in 10 s, rate that counts, effect on the run
        "        , 4_999_999,        , ",
        "        , 5_000_000, 500_000, NOTE",
        "        , 8_999_999, 899_999.9, NOTE",
        "        , 9_000_000, 900_000, INVALIDATES",
        "        , 20_000_000, 2_000_000, INVALIDATES",
        "100_000 , 1_000_000,        , ",
        "499_999 , 1_000_000,        , ",
        "500_000 , 1_000_000, 500_000, NOTE",
        "899_999 , 1_000_000, 899_999, NOTE",
        "900_000 , 1_000_000, 900_000, INVALIDATES",
        "100_000 , 6_000_000, 600_000, NOTE",
    })
    void theHigherOfTargetAndAchievedRateCounts(
            @Nullable String target, String sent, @Nullable String rate, @Nullable Severity severity) {
        List<Finding> findings = judge(tenSecondsWith((long) number(sent)), target == null ? null : number(target));

        if (rate == null || severity == null) {
            assertThat(findings).isEmpty();
        } else {
            assertThat(findings)
                    .containsExactly(
                            Finding.nearHarnessCeiling("harness", number(rate), CEILING_MSG_PER_SEC, severity));
        }
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("_", ""));
    }

    @Test
    void aRunWithoutAMeasurementIsNotJudged() {
        assertThat(judge(List.of(), 950_000.0)).isEmpty();
    }

    @Test
    void theFindingNamesRateShareAndCeiling() {
        assertThat(Finding.nearHarnessCeiling("harness", 600_000, CEILING_MSG_PER_SEC, Severity.NOTE)
                        .text())
                .startsWith("near the limit of the harness: 600,000 msg/s is 60 % of the 1,000,000 msg/s that");
    }
}
