package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Operator;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reckoned;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Side;
import io.openmessaging.benchmark.claims.Expression.Trend;
import io.openmessaging.benchmark.claims.Judgement.Outcome;
import io.openmessaging.benchmark.claims.Judgement.Value;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import io.openmessaging.benchmark.summary.Summary;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides claims by the 95 % intervals of the means. A claim is never decided by means alone: where the intervals leave it
 * open, it is not decidable.
 */
final class ClaimJudge {

    /** How a part or a case of it came out, and the words for it. */
    private record Finding(Outcome outcome, String words) {}

    /** A number is not known well enough. The message says why. */
    private static final class UnknownException extends Exception {
        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }

    private final Summary summary;
    private final ClaimCheck check;

    ClaimJudge(Summary summary) {
        this.summary = summary;
        this.check = new ClaimCheck(summary.names());
    }

    /** Judges an expression whose names are in the plan. */
    Judgement judge(Expression expression) {
        List<Value> values = values(expression);
        if (new TimeScale(summary.timeScale()).shortens()) {
            String scale = BigDecimal.valueOf(summary.timeScale()).toPlainString();
            return new Judgement(Outcome.NOT_DECIDABLE, "the runs were shortened, time scale " + scale, values);
        }
        List<Finding> findings = expression.parts().stream().map(this::judge).toList();
        Finding all = all(findings, "");
        return new Judgement(all.outcome(), all.words(), values);
    }

    /** Of several that all have to hold: the first that does not, else the first that is not decidable. */
    private static Finding all(List<Finding> findings, String words) {
        for (Outcome outcome : List.of(Outcome.DOES_NOT_HOLD, Outcome.NOT_DECIDABLE)) {
            Optional<Finding> found = findings.stream()
                    .filter(finding -> finding.outcome() == outcome)
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
        }
        return findings.size() == 1 || words.isEmpty() ? findings.get(0) : new Finding(Outcome.HOLDS, words);
    }

    private Finding judge(Part part) {
        try {
            return part instanceof Comparison comparison ? compare(comparison) : trend((Trend) part);
        } catch (UnknownException e) {
            return new Finding(Outcome.NOT_DECIDABLE, String.valueOf(e.getMessage()));
        }
    }

    private Finding compare(Comparison comparison) {
        if (!ClaimCheck.open(comparison)) {
            return compare(comparison, "");
        }
        List<String> cases = check.cases(comparison.references());
        List<Finding> findings =
                cases.stream().map(caseName -> compare(comparison, caseName)).toList();
        return all(findings, "the intervals are apart in all " + cases.size() + " cases");
    }

    private Finding compare(Comparison comparison, String caseName) {
        try {
            Interval left = interval(comparison.left(), caseName);
            Interval right = interval(comparison.right(), caseName);
            String where = caseName.isEmpty() ? "" : " in case " + caseName;
            Operator operator = comparison.operator();
            boolean more = operator == Operator.GREATER || operator == Operator.GREATER_OR_EQUAL;
            boolean orEqual = operator == Operator.GREATER_OR_EQUAL || operator == Operator.LESS_OR_EQUAL;
            Interval larger = more ? left : right;
            Interval smaller = more ? right : left;
            if (larger.above(smaller) || orEqual && larger.low() == smaller.high()) {
                return new Finding(Outcome.HOLDS, "the intervals are apart" + where);
            }
            if (smaller.above(larger) || !orEqual && smaller.low() == larger.high()) {
                return new Finding(Outcome.DOES_NOT_HOLD, "the intervals are apart the other way" + where);
            }
            return new Finding(Outcome.NOT_DECIDABLE, "the intervals overlap" + where);
        } catch (UnknownException e) {
            return new Finding(Outcome.NOT_DECIDABLE, String.valueOf(e.getMessage()));
        }
    }

    private Interval interval(Side side, String caseName) throws UnknownException {
        if (side instanceof Expression.Number number) {
            return Interval.of(number.value());
        }
        if (side instanceof Reference reference) {
            return interval(
                    reference,
                    reference.open() ? caseName : reference.caseName().text());
        }
        Reckoned reckoned = (Reckoned) side;
        Interval left = interval(reckoned.left(), caseName);
        Interval right = interval(reckoned.right(), caseName);
        return switch (reckoned.arithmetic()) {
            case PLUS -> left.plus(right);
            case MINUS -> left.minus(right);
            case TIMES -> left.times(right);
            case DIVIDED_BY -> left.dividedBy(right);
        };
    }

    private Interval interval(Reference reference, String caseName) throws UnknownException {
        Estimate estimate = estimate(reference, caseName);
        Double low = estimate.ci95Low();
        Double high = estimate.ci95High();
        if (low == null || high == null) {
            throw new UnknownException("there is only one run of " + name(reference, caseName));
        }
        return new Interval(low, high);
    }

    private Estimate estimate(Reference reference, String caseName) throws UnknownException {
        Optional<CellSummary> cell = cell(reference, caseName);
        if (cell.isEmpty() || cell.get().runs() == 0) {
            boolean failed = cell.isPresent() && cell.get().failed() > 0;
            throw new UnknownException(
                    name(reference, caseName) + (failed ? " has failed in every run" : " was not run"));
        }
        List<String> variants = cell.get().variants();
        if (!variants.isEmpty()) {
            throw new UnknownException("the runs of " + name(reference, caseName)
                    + " are no repetitions of each other: " + String.join("; ", variants));
        }
        if (cell.get().invalidIncluded()) {
            throw new UnknownException("all runs of " + name(reference, caseName) + " are INVALID");
        }
        Estimate estimate = cell.get().metrics().get(reference.metric().text());
        if (estimate == null) {
            throw new UnknownException(
                    name(reference, caseName) + " has no " + reference.metric().text());
        }
        return estimate;
    }

    private Optional<CellSummary> cell(Reference reference, String caseName) {
        return summary.find(reference.experiment().text(), reference.system().text(), caseName);
    }

    private static String name(Reference reference, String caseName) {
        return reference.experiment().text() + "/" + reference.system().text() + "/" + caseName;
    }

    private Finding trend(Trend trend) throws UnknownException {
        List<String> cases = check.cases(trend.reference());
        if (cases.size() < 2) {
            throw new UnknownException("there is only one case, which has no trend");
        }
        List<Interval> intervals = new ArrayList<>();
        for (String caseName : cases) {
            intervals.add(interval(trend.reference(), caseName));
        }
        return trend.direction() == Direction.FLAT
                ? flat(trend, cases, intervals)
                : monotonous(trend.direction() == Direction.RISES, cases, intervals);
    }

    private static Finding monotonous(boolean rises, List<String> cases, List<Interval> intervals) {
        for (int later = 1; later < cases.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                Interval from = intervals.get(earlier);
                Interval to = intervals.get(later);
                if (rises ? from.above(to) : to.above(from)) {
                    return new Finding(
                            Outcome.DOES_NOT_HOLD,
                            "it " + (rises ? "falls" : "rises") + " from " + cases.get(earlier) + " to "
                                    + cases.get(later));
                }
            }
        }
        Interval first = intervals.get(0);
        Interval last = intervals.get(intervals.size() - 1);
        return (rises ? last.above(first) : first.above(last))
                ? new Finding(Outcome.HOLDS, "the first and the last case are apart, and no two are the other way")
                : new Finding(Outcome.NOT_DECIDABLE, "the intervals of the first and the last case overlap");
    }

    private Finding flat(Trend trend, List<String> cases, List<Interval> intervals) throws UnknownException {
        double sum = 0;
        for (String caseName : cases) {
            sum += estimate(trend.reference(), caseName).mean();
        }
        double mean = sum / cases.size();
        double reach = Math.abs(mean) * trend.withinPercent() / 100;
        Interval band = new Interval(mean - reach, mean + reach);
        String percent =
                BigDecimal.valueOf(trend.withinPercent()).stripTrailingZeros().toPlainString() + " %";
        for (int i = 0; i < cases.size(); i++) {
            if (intervals.get(i).above(band) || band.above(intervals.get(i))) {
                return new Finding(
                        Outcome.DOES_NOT_HOLD, cases.get(i) + " lies more than " + percent + " from the mean of all");
            }
        }
        return intervals.stream().allMatch(interval -> interval.within(band))
                ? new Finding(Outcome.HOLDS, "all cases lie within " + percent + " of their mean")
                : new Finding(Outcome.NOT_DECIDABLE, "intervals reach out of the " + percent + " around the mean");
    }

    /** What the expression refers to, each once. */
    private List<Value> values(Expression expression) {
        Set<Value> values = new LinkedHashSet<>();
        for (Part part : expression.parts()) {
            List<String> common = check.cases(part.references());
            for (Reference reference : part.references()) {
                List<String> cases =
                        reference.open() ? common : List.of(reference.caseName().text());
                cases.forEach(caseName -> values.add(value(reference, caseName)));
            }
        }
        return List.copyOf(values);
    }

    private Value value(Reference reference, String caseName) {
        Function<CellSummary, Optional<Estimate>> estimate = cell ->
                Optional.ofNullable(cell.metrics().get(reference.metric().text()));
        return new Value(
                reference.metric().text(),
                reference.experiment().text(),
                reference.system().text(),
                caseName,
                cell(reference, caseName).flatMap(estimate).orElse(null));
    }
}
