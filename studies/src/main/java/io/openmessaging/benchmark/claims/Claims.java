package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.claims.Judgement.ClaimVerdict;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.PublishedFile.Claim;
import io.openmessaging.benchmark.config.PublishedFile.OfRun;
import io.openmessaging.benchmark.config.PublishedFile.Value;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import io.openmessaging.benchmark.summary.Summary;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The published claims and values of a study, with the measurements.
 *
 * @param study its short name
 * @param citation author, title and source of the publication
 * @param timeScale factor of durations and counts of the measurement
 * @param claims in the order of the file
 * @param values in the order of the file
 */
public record Claims(
        String study, String citation, double timeScale, List<JudgedClaim> claims, List<ComparedValue> values) {

    /**
     * A claim and its judgement.
     *
     * @param onStudy judgement on the study's own values, see {@link StudyValues}
     */
    record JudgedClaim(Claim claim, Judgement judgement, ClaimVerdict onStudy) {}

    /**
     * A published value and its measurement.
     *
     * @param value as published
     * @param unit of both; null if unknown
     * @param caseName of the experiment, possibly a pattern; null if nothing can be compared
     * @param measured null if nothing was measured
     * @param invalidIncluded whether the measurement is from INVALID runs
     */
    record ComparedValue(
            Value value,
            @Nullable String unit,
            @Nullable String caseName,
            @Nullable Estimate measured,
            boolean invalidIncluded) {

        /** Returns what was measured: the median, or the highest or lowest of the runs; empty if nothing was. */
        OptionalDouble found() {
            if (measured == null) {
                return OptionalDouble.empty();
            }
            OfRun run = value.run();
            return OptionalDouble.of(
                    run == null ? measured.median() : run == OfRun.HIGHEST ? measured.max() : measured.min());
        }

        /** Returns measured divided by published. */
        OptionalDouble ratio() {
            return found().isEmpty() || value.value() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(found().getAsDouble() / value.value());
        }
    }

    public Claims {
        claims = List.copyOf(claims);
        values = List.copyOf(values);
    }

    /**
     * Checks that all names are in the plan.
     *
     * @throws ConfigException with each name that is not
     */
    public static void check(PublishedFile file, Cells cells) throws ConfigException {
        ClaimNames names = new ClaimNames(cells);
        Problems problems = new Problems();
        List<Value> values = file.keys().values();
        for (int i = 0; i < values.size(); i++) {
            names.check(values.get(i), problems.below("values[" + i + "]"));
        }
        List<Claim> claims = file.keys().claims();
        for (int i = 0; i < claims.size(); i++) {
            String expression = claims.get(i).holds();
            try {
                if (expression != null) {
                    names.parse(expression);
                }
            } catch (ParseException e) {
                String rule = "column " + (e.getErrorOffset() + 1) + ": " + e.getMessage();
                problems.add("claims[" + i + "].holds", rule, expression);
            }
            for (String reference : claims.get(i).contrary().keySet()) {
                try {
                    names.parse(reference + " > 0");
                } catch (ParseException e) {
                    String rule =
                            "must have references as keys; column " + (e.getErrorOffset() + 1) + ": " + e.getMessage();
                    problems.add("claims[" + i + "].contrary", rule, reference);
                }
            }
        }
        ConfigException.throwIfAny(file.path(), problems);
    }

    /** Judges every claim of a file that passed {@link #check}. */
    public static Claims judge(PublishedFile file, Summary summary) {
        Summary study = study(file, summary.names(), Map.of());
        return new Claims(
                file.keys().study(),
                file.keys().citation(),
                summary.timeScale(),
                file.keys().claims().stream()
                        .map(claim -> new JudgedClaim(
                                claim,
                                judge(claim, summary),
                                judge(claim, study).outcome()))
                        .toList(),
                file.keys().values().stream()
                        .map(value -> compare(value, summary))
                        .toList());
    }

    /** Returns the study's own values, with some replaced; all names were checked before. */
    static Summary study(PublishedFile file, Cells cells, Map<String, Double> instead) {
        try {
            return StudyValues.of(file, cells, instead);
        } catch (ParseException e) {
            throw new IllegalStateException("Was not checked before: " + instead.keySet(), e);
        }
    }

    static Judgement judge(Claim claim, Summary summary) {
        String expression = claim.holds();
        if (expression == null) {
            return new Judgement(ClaimVerdict.NOT_DECIDABLE, String.valueOf(claim.reason()), List.of(), List.of());
        }
        try {
            return new ClaimJudge(summary).judge(ExpressionParser.parse(expression));
        } catch (ParseException e) {
            throw new IllegalStateException("Was not checked before: " + expression, e);
        }
    }

    private static ComparedValue compare(Value value, Summary summary) {
        if (value.unmeasured() != null) {
            return new ComparedValue(value, value.unit(), value.caseName(), null, false);
        }
        String pattern = value.caseName() == null
                ? summary.names().cases(value.experiment()).get(0)
                : value.caseName();
        List<CellSummary> cells = summary.names().cases(value.experiment(), pattern).stream()
                .flatMap(name -> summary.find(value.experiment(), value.system(), name).stream())
                .toList();
        List<Estimate> estimates = cells.stream()
                .flatMap(cell -> Optional.ofNullable(cell.estimate(value.metric())).stream())
                .toList();
        // The mean of only some of the cases would be a different quantity.
        Estimate measured = estimates.size() == cells.size() ? mean(estimates) : null;
        boolean invalid = measured != null && cells.stream().anyMatch(CellSummary::invalidIncluded);
        return new ComparedValue(value, CellSummary.unit(value.metric()).orElse(null), pattern, measured, invalid);
    }

    /** Returns the mean of the medians; the mean of their intervals is no narrower than the interval of that mean. */
    private static @Nullable Estimate mean(List<Estimate> estimates) {
        if (estimates.size() < 2) {
            return estimates.isEmpty() ? null : estimates.get(0);
        }
        return new Estimate(
                estimates.stream().mapToInt(Estimate::n).min().orElseThrow(),
                estimates.stream().mapToDouble(Estimate::mean).average().orElseThrow(),
                null,
                null,
                null,
                estimates.stream().mapToDouble(Estimate::median).average().orElseThrow(),
                mean(estimates, Estimate::ci95Low),
                mean(estimates, Estimate::ci95High),
                estimates.stream().mapToDouble(Estimate::min).average().orElseThrow(),
                estimates.stream().mapToDouble(Estimate::max).average().orElseThrow(),
                List.of());
    }

    private static @Nullable Double mean(List<Estimate> estimates, Function<Estimate, @Nullable Double> bound) {
        double sum = 0;
        for (Estimate estimate : estimates) {
            Double value = bound.apply(estimate);
            if (value == null) {
                return null;
            }
            sum += value / estimates.size();
        }
        return sum;
    }

    /** Returns how many claims have this verdict. */
    long count(ClaimVerdict outcome) {
        return claims.stream()
                .filter(claim -> claim.judgement().outcome() == outcome)
                .count();
    }
}
