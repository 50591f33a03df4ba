package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges the rates of a sweep, each by itself, and whether they went far enough. Pure. */
public final class SweepJudge {

    private SweepJudge() {}

    /**
     * The reason that a rate is not sustained: a finding that would make a run of its own INVALID, a pace that is not
     * kept, a missed slo.
     *
     * @param pace pace at the rate
     * @param periods periods in which the rate was measured, at least one
     * @param errors errors since its measurement started, by kind
     */
    public static Optional<Breach> breach(
            Pace pace,
            List<PeriodSnapshot> periods,
            BacklogTrend backlogs,
            Map<String, Long> errors,
            List<LatencyBound> slo) {
        PeriodSnapshot seen = Objects.requireNonNull(Judge.total(periods), "periods of the rate");
        Judge judge = new Judge();
        judge.judgeRefused(seen.counts(), errors, Severity.INVALIDATES);
        judge.judgeLoad(periods, expected(pace));
        judge.judgeConsumers(periods, List.of(backlogs));
        judge.judgeLatencies(periods);
        judge.judgeSlo(Bounds.outcomes(slo, seen));
        return first(judge.findings(), Severity.INVALIDATES)
                .or(() -> Bounds.pace(pace))
                .or(() -> first(judge.findings(), Severity.MISSES_SLO));
    }

    /**
     * The reason that a rate is not sustained if messages were lost or refused, or errors reported, also outside of the
     * time in which it was measured: a run of its own would count them too.
     *
     * @param missing messages that had not arrived when none was on its way any more
     * @param counts messages from the start of the load until then
     * @param errors errors in the same time, by kind
     */
    public static Optional<Breach> incomplete(long missing, Totals counts, Map<String, Long> errors) {
        if (missing > 0) {
            return Optional.of(
                    new Breach("loss", String.format(Locale.ROOT, "%,d messages had not arrived at the end", missing)));
        }
        Judge judge = new Judge();
        judge.judgeRefused(counts, errors, Severity.INVALIDATES);
        return first(judge.findings(), Severity.INVALIDATES);
    }

    private static ExpectedLoad expected(Pace pace) {
        return new ExpectedLoad(
                OptionalDouble.of(pace.rateMsgPerSec()),
                OptionalDouble.empty(),
                pace.random(),
                true,
                OptionalDouble.empty(),
                Optional.of(RateProfile.steady(pace.rateMsgPerSec())));
    }

    private static Optional<Breach> first(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .findFirst()
                .map(finding -> new Breach(finding.kind(), finding.text()));
    }

    /** The finding against the knee of a sweep that has reached its end; empty if there is none. */
    public static Optional<Finding> knee(RateSweep sweep) {
        double lowestMsgPerSec = target(sweep.steps().get(0));
        LoadStep last = sweep.steps().get(sweep.steps().size() - 1);
        LoadStep knee = sweep.knee().orElse(null);
        if (knee == null) {
            return Optional.of(Finding.noSustainableRate(
                    lowestMsgPerSec, sweep.steps().get(0).breach()));
        }
        boolean highest = knee == last;
        return highest || target(knee) == lowestMsgPerSec
                ? Optional.of(Finding.kneeAtEdge(target(knee), highest))
                : Optional.empty();
    }

    private static double target(LoadStep step) {
        Double target = step.targetMsgPerSec();
        return target == null ? 0 : target;
    }
}
