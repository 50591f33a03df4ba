package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Trend;
import io.openmessaging.benchmark.claims.Expression.UnknownException;
import io.openmessaging.benchmark.claims.Judgement.ClaimVerdict;
import io.openmessaging.benchmark.claims.Judgement.Value;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import io.openmessaging.benchmark.summary.Summary;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides claims by the 95 % intervals of the medians. Medians alone never decide a claim: where the intervals overlap,
 * it is not decidable. Of runs that are shortened, or too few for intervals, the medians show a direction only.
 *
 * <p>One comparison that contradicts a claim is enough, so chance alone would contradict a true one that makes many.
 * The intervals that contradict a claim of k comparisons therefore have a confidence of 1 − 0.05/k, as Bonferroni has
 * it. (The procedure of S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
 * Statistics 6 (1979), begins alike, and its first step decides here.) A claim holds if all its comparisons do, which
 * takes no correction: R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24
 * (1982).
 */
final class ClaimJudge {

    /** Verdict on a part of a claim, or on one case of a part, with its reason in words and what decided it. */
    private record PartialVerdict(ClaimVerdict outcome, String words, List<Reference> deciding) {

        PartialVerdict(ClaimVerdict outcome, String words, Stream<Reference> deciding) {
            this(outcome, words, deciding.toList());
        }

        PartialVerdict decidedBy(List<PartialVerdict> alike) {
            return new PartialVerdict(outcome, words, alike.stream().flatMap(each -> each.deciding.stream()));
        }
    }

    private static final String NOT_RUN = " was not run";

    private final Summary summary;
    private final ClaimNames names;

    /** Which estimates count by their medians, as if these were known exactly. */
    private final Predicate<Estimate> exact;

    /** How many comparisons the intervals are corrected for. */
    private final int comparisons;

    ClaimJudge(Summary summary) {
        this(summary, estimate -> false, 1);
    }

    private ClaimJudge(Summary summary, Predicate<Estimate> exact, int comparisons) {
        this.summary = summary;
        this.names = new ClaimNames(summary.names());
        this.exact = exact;
        this.comparisons = comparisons;
    }

    /** Judges an expression whose names are in the plan. */
    Judgement judge(Expression expression) {
        List<Value> values = values(expression);
        PartialVerdict all;
        if (new TimeScale(summary.timeScale()).shortens()) {
            all = ofShortened(expression);
        } else {
            all = confirmed(expression, judgeAll(expression));
            if (all.outcome() == ClaimVerdict.NOT_DECIDABLE) {
                all = direction(expression, estimate -> estimate.ci95Low() == null, all);
            }
        }
        List<Value> deciding =
                all.deciding().stream().map(this::value).distinct().toList();
        return new Judgement(all.outcome(), all.words() + leftOut(values), deciding, values);
    }

    /** Returns a direction at best; what was not measured at all is named rather than that the runs were short. */
    private PartialVerdict ofShortened(Expression expression) {
        Predicate<Estimate> all = estimate -> true;
        PartialVerdict medians = new ClaimJudge(summary, all, 1).judgeAll(expression);
        if (medians.outcome() == ClaimVerdict.NOT_DECIDABLE) {
            return new PartialVerdict(medians.outcome(), medians.words() + alsoNotRun(medians), medians.deciding());
        }
        String scale = BigDecimal.valueOf(summary.timeScale()).toPlainString();
        return direction(
                expression,
                all,
                new PartialVerdict(
                        ClaimVerdict.NOT_DECIDABLE,
                        "the runs were shortened, time scale " + scale,
                        references(expression)));
    }

    /** Returns how many cells were not run, besides one that the verdict names; empty if none were. */
    private String alsoNotRun(PartialVerdict verdict) {
        boolean named = verdict.words().endsWith(NOT_RUN);
        long others = verdict.deciding().stream()
                .flatMap(reference -> cell(reference).stream())
                .distinct()
                .filter(cell -> cell.runs() + cell.failed() == 0)
                .skip(named ? 1 : 0)
                .count();
        String cells = Quantities.counted(others, named ? "other cell" : "cell");
        return others == 0 ? "" : "; " + cells + (others == 1 ? NOT_RUN : " were not run");
    }

    private PartialVerdict judgeAll(Expression expression) {
        List<PartialVerdict> findings =
                expression.parts().stream().map(this::judge).toList();
        return notHolding(findings).orElse(findings.get(0).decidedBy(findings));
    }

    /** Returns the verdict; a claim does not hold only if the intervals corrected for its comparisons say so, too. */
    private PartialVerdict confirmed(Expression expression, PartialVerdict verdict) {
        int all = expression.parts().stream().mapToInt(this::comparisons).sum();
        if (verdict.outcome() != ClaimVerdict.DOES_NOT_HOLD || all <= 1) {
            return verdict;
        }
        PartialVerdict corrected = new ClaimJudge(summary, exact, all).judgeAll(expression);
        return corrected.outcome() == ClaimVerdict.DOES_NOT_HOLD
                ? corrected
                : new PartialVerdict(
                        ClaimVerdict.NOT_DECIDABLE,
                        verdict.words() + ", but not with the confidence that " + all + " comparisons take",
                        verdict.deciding());
    }

    /** Returns how many comparisons may contradict a part: cases, or pairs of cases. */
    private int comparisons(Part part) {
        int cases = names.cases(part.references()).size();
        if (part instanceof Trend trend) {
            return trend.direction() == Direction.FLAT ? cases : cases * (cases - 1) / 2;
        }
        return ((Comparison) part).open() ? cases : 1;
    }

    /** Adds to the reason why nothing is certain what the medians say. */
    private PartialVerdict direction(Expression expression, Predicate<Estimate> exact, PartialVerdict uncertain) {
        PartialVerdict medians = new ClaimJudge(summary, exact, 1).judgeAll(expression);
        return switch (medians.outcome()) {
            case HOLDS ->
                new PartialVerdict(
                        ClaimVerdict.DIRECTION_ONLY,
                        uncertain.words() + "; the medians agree with the claim",
                        uncertain.deciding());
            case DOES_NOT_HOLD ->
                new PartialVerdict(
                        uncertain.outcome(),
                        uncertain.words() + "; the medians contradict the claim",
                        medians.deciding());
            case DIRECTION_ONLY, NOT_DECIDABLE -> uncertain;
        };
    }

    /** Returns which runs were left out of the figures because they failed or are INVALID; empty if none were. */
    private String leftOut(List<Value> values) {
        String cells = values.stream()
                .filter(value -> !CellSummary.isWeakness(value.metric()))
                .flatMap(value -> summary.find(value.experiment(), value.system(), value.caseName()).stream())
                .distinct()
                .filter(cell -> cell.leftOut() > 0)
                .map(cell -> cell.leftOut() + " of " + (cell.runs() + cell.failed()) + " runs of "
                        + cell.cell().experiment() + "/" + cell.cell().system() + "/"
                        + cell.cell().caseName())
                .collect(Collectors.joining(", "));
        return cells.isEmpty() ? "" : "; left out as INVALID or failed: " + cells;
    }

    /**
     * Returns the first of several findings that does not hold, or else the first that is not decidable, decided by all
     * of its kind; empty if all hold.
     */
    private static Optional<PartialVerdict> notHolding(List<PartialVerdict> findings) {
        return Stream.of(ClaimVerdict.DOES_NOT_HOLD, ClaimVerdict.NOT_DECIDABLE)
                .map(outcome -> findings.stream()
                        .filter(finding -> finding.outcome() == outcome)
                        .toList())
                .filter(alike -> !alike.isEmpty())
                .map(alike -> alike.get(0).decidedBy(alike))
                .findFirst();
    }

    private PartialVerdict judge(Part part) {
        if (part instanceof Trend trend) {
            return trend(trend);
        }
        Comparison comparison = (Comparison) part;
        if (!comparison.open()) {
            return compare(comparison, "");
        }
        List<PartialVerdict> findings = names.cases(comparison.references()).stream()
                .map(caseName -> compare(comparison, caseName))
                .toList();
        String all = "the intervals are apart in all " + findings.size() + " cases";
        return notHolding(findings)
                .orElse(
                        findings.size() == 1
                                ? findings.get(0)
                                : new PartialVerdict(ClaimVerdict.HOLDS, all, Stream.of()).decidedBy(findings));
    }

    private static PartialVerdict unknown(UnknownException e, Stream<Reference> references) {
        return new PartialVerdict(ClaimVerdict.NOT_DECIDABLE, String.valueOf(e.getMessage()), references);
    }

    /** Compares in one case; the case name is empty if no reference is to several cases. */
    private PartialVerdict compare(Comparison comparison, String caseName) {
        List<Reference> those =
                comparison.references().stream().map(each -> each.in(caseName)).toList();
        try {
            Interval left = comparison.left().in(reference -> interval(reference.in(caseName)));
            Interval right = comparison.right().in(reference -> interval(reference.in(caseName)));
            String where = caseName.isEmpty() ? "" : " in case " + caseName;
            boolean more = comparison.operator().startsWith(">");
            boolean orEqual = comparison.operator().endsWith("=");
            Interval larger = more ? left : right;
            Interval smaller = more ? right : left;
            if (larger.above(smaller) || orEqual && larger.low() == smaller.high()) {
                return new PartialVerdict(ClaimVerdict.HOLDS, "the intervals are apart" + where, those);
            }
            if (smaller.above(larger) || !orEqual && smaller.low() == larger.high()) {
                return new PartialVerdict(
                        ClaimVerdict.DOES_NOT_HOLD, "the intervals are apart in the opposite order" + where, those);
            }
            return new PartialVerdict(ClaimVerdict.NOT_DECIDABLE, "the intervals overlap" + where, those);
        } catch (UnknownException e) {
            return unknown(e, those.stream());
        }
    }

    private Interval interval(Reference reference) throws UnknownException {
        Estimate estimate = estimate(reference);
        if (exact.test(estimate)) {
            return Interval.of(estimate.median());
        }
        Double low = estimate.ci95Low();
        Double high = estimate.ci95High();
        if (low == null || high == null) {
            throw new UnknownException(withoutInterval(reference, estimate.n()) + reference.cell());
        }
        return new Interval(low, high);
    }

    private static String withoutInterval(Reference reference, int runs) {
        if (runs == 1) {
            return "there is only one run of ";
        }
        if (CellSummary.isSd(reference.metric().text())) {
            return "fewer than " + Estimate.FEWEST_RUNS_OF_SD + " runs give no interval of the standard deviation of ";
        }
        return runs < Estimate.FEWEST_RUNS
                ? "there are only two runs of "
                : "a value is 0, so fewer than six runs give no interval of ";
    }

    private Estimate estimate(Reference reference) throws UnknownException {
        String name = reference.cell();
        String metric = reference.metric().text();
        CellSummary cell = cell(reference).orElse(null);
        boolean weakness = CellSummary.isWeakness(metric);
        if (cell == null || cell.runs() == 0 && !(weakness && cell.failed() > 0)) {
            boolean failed = cell != null && cell.failed() > 0;
            throw new UnknownException(name + (failed ? " has failed in every run" : NOT_RUN));
        }
        if (!cell.variants().isEmpty()) {
            throw new UnknownException("the runs of " + name + " are not repetitions of each other: "
                    + String.join("; ", cell.variants()));
        }
        if (cell.invalidIncluded() && !weakness) {
            throw new UnknownException("all runs of " + name + " are INVALID");
        }
        Estimate estimate = cell.estimate(metric, comparisons);
        int unreliable = cell.unreliable(metric);
        if (unreliable > 0) {
            throw new UnknownException(unreliable + " of " + cell.counted(metric) + " runs of " + name + " have no "
                    + metric + " to rely on: the limit was not found, or others used the machine");
        }
        if (estimate == null) {
            boolean single = CellSummary.isSd(metric) && cell.counted(metric) == 1;
            throw new UnknownException(single ? withoutInterval(reference, 1) + name : name + " has no " + metric);
        }
        // Runs without a value may be worse than the others: one may never have recovered, for example.
        int lacking = cell.counted(metric) - estimate.n();
        if (lacking > 0) {
            throw new UnknownException(
                    lacking + " of " + (lacking + estimate.n()) + " runs of " + name + " have no " + metric);
        }
        return estimate;
    }

    private Optional<CellSummary> cell(Reference reference) {
        return summary.find(
                reference.experiment().text(),
                reference.system().text(),
                reference.caseName().text());
    }

    private PartialVerdict trend(Trend trend) {
        List<String> cases = names.cases(trend.reference());
        List<Reference> each = cases.stream().map(trend.reference()::in).toList();
        try {
            if (cases.size() < 2) {
                throw new UnknownException("there is only one case, but a trend needs at least two");
            }
            List<Interval> intervals = new ArrayList<>();
            for (Reference reference : each) {
                intervals.add(interval(reference));
            }
            return trend.direction() == Direction.FLAT
                    ? flat(trend.withinPercent(), each, intervals)
                    : monotonous(trend.direction() == Direction.RISES, each, intervals);
        } catch (UnknownException e) {
            return unknown(e, each.stream());
        }
    }

    private static PartialVerdict monotonous(boolean rises, List<Reference> cases, List<Interval> intervals) {
        for (int later = 1; later < cases.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                Interval from = intervals.get(earlier);
                Interval to = intervals.get(later);
                if (rises ? from.above(to) : to.above(from)) {
                    return new PartialVerdict(
                            ClaimVerdict.DOES_NOT_HOLD,
                            "it " + (rises ? "falls" : "rises") + " from "
                                    + cases.get(earlier).caseName().text() + " to "
                                    + cases.get(later).caseName().text(),
                            Stream.of(cases.get(earlier), cases.get(later)));
                }
            }
        }
        int end = intervals.size() - 1;
        Interval first = intervals.get(0);
        Interval last = intervals.get(end);
        return (rises ? last.above(first) : first.above(last))
                ? new PartialVerdict(
                        ClaimVerdict.HOLDS,
                        "the first and the last case are apart, and no two have the opposite order",
                        cases)
                : new PartialVerdict(
                        ClaimVerdict.NOT_DECIDABLE,
                        "the intervals of the first and the last case overlap",
                        Stream.of(cases.get(0), cases.get(end)));
    }

    private PartialVerdict flat(double withinPercent, List<Reference> cases, List<Interval> intervals)
            throws UnknownException {
        double sum = 0;
        for (Reference each : cases) {
            sum += estimate(each).median();
        }
        double mean = sum / cases.size();
        double reach = Math.abs(mean) * withinPercent / 100;
        Interval band = new Interval(mean - reach, mean + reach);
        String percent = BigDecimal.valueOf(withinPercent).stripTrailingZeros().toPlainString() + " %";
        List<PartialVerdict> findings = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            Interval interval = intervals.get(i);
            Stream<Reference> one = Stream.of(cases.get(i));
            findings.add(
                    interval.above(band) || band.above(interval)
                            ? new PartialVerdict(
                                    ClaimVerdict.DOES_NOT_HOLD,
                                    cases.get(i).caseName().text() + " lies more than " + percent
                                            + " from the mean of all",
                                    one)
                            : interval.within(band)
                                    ? new PartialVerdict(
                                            ClaimVerdict.HOLDS,
                                            "all cases lie within " + percent + " of their mean",
                                            one)
                                    : new PartialVerdict(
                                            ClaimVerdict.NOT_DECIDABLE,
                                            "intervals extend beyond the " + percent + " around the mean",
                                            one));
        }
        return notHolding(findings).orElse(findings.get(0).decidedBy(findings));
    }

    /** Returns all values that the expression refers to, each once. */
    private List<Value> values(Expression expression) {
        return references(expression).map(this::value).distinct().toList();
    }

    private Stream<Reference> references(Expression expression) {
        return expression.parts().stream().flatMap(part -> {
            List<String> common = names.cases(part.references());
            return part.references().stream()
                    .flatMap(reference ->
                            (reference.open() ? common : List.of("")).stream().map(reference::in));
        });
    }

    private Value value(Reference reference) {
        String metric = reference.metric().text();
        return new Value(
                metric,
                reference.experiment().text(),
                reference.system().text(),
                reference.caseName().text(),
                cell(reference).map(cell -> cell.estimate(metric)).orElse(null));
    }
}
