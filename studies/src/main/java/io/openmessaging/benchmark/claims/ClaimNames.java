package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.config.PublishedFile.Value;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.summary.CellSummary;
import java.text.ParseException;
import java.util.Collection;
import java.util.List;

/** Looks up the names in claims and published values: each has to be in the plan. */
record ClaimNames(Cells cells) {

    /**
     * Parses an expression and looks up its names.
     *
     * @throws ParseException with the problem, without its position, and the offset of the position from 0
     */
    Expression parse(String text) throws ParseException {
        Expression expression = ExpressionParser.parse(text);
        for (Part part : expression.parts()) {
            for (Reference reference : part.references()) {
                check(reference);
            }
        }
        for (Part part : expression.parts()) {
            List<Reference> references = part.references();
            if (part instanceof Comparison comparison
                    && comparison.open()
                    && cases(references).isEmpty()) {
                throw new ParseException(
                        "the references of the comparison have no case in common",
                        references.get(references.size() - 1).caseName().offset());
            }
        }
        return expression;
    }

    private void check(Reference reference) throws ParseException {
        String experiment = reference.experiment().text();
        require("metric", reference.metric(), CellSummary.metricNames());
        require("experiment", reference.experiment(), cells.experiments());
        require("system of " + experiment, reference.system(), cells.systems(experiment));
        if (!reference.open()) {
            require("case of " + experiment, reference.caseName(), cells.cases(experiment));
        } else if (cases(reference).isEmpty()) {
            throw new ParseException(
                    "no case of " + experiment + " matches '"
                            + reference.caseName().text() + "'",
                    reference.caseName().offset());
        }
    }

    private static void require(String kind, Name name, Collection<String> known) throws ParseException {
        if (!known.contains(name.text())) {
            throw new ParseException(
                    LatencyMetric.unknownRule(kind, name.text(), known) + " ('" + name.text() + "')", name.offset());
        }
    }

    /** Returns the cases of a reference, in the order of the plan. */
    List<String> cases(Reference reference) {
        return cells.cases(reference.experiment().text(), reference.caseName().text());
    }

    /** Returns the cases that all open references have in common, in the order of the plan. */
    List<String> cases(List<Reference> references) {
        List<Reference> open = references.stream().filter(Reference::open).toList();
        return open.stream()
                .limit(1)
                .flatMap(first -> cases(first).stream())
                .filter(name -> open.stream().allMatch(each -> cases(each).contains(name)))
                .toList();
    }

    /** Looks up the names of a published value; its unit has to be the metric's. */
    void check(Value value, Problems problems) {
        if (value.unmeasured() != null) {
            return;
        }
        require("metric", value.metric(), CellSummary.metricNames(), problems);
        String unit = CellSummary.unit(value.metric()).orElse(value.unit());
        problems.require(
                value.unit() == null || value.unit().equals(unit),
                "unit",
                "must be " + unit + ", the unit of " + value.metric(),
                value.unit());
        if (require("experiment", value.experiment(), cells.experiments(), problems)) {
            require("system", value.system(), cells.systems(value.experiment()), problems);
            checkCase(value, problems);
        }
    }

    private void checkCase(Value value, Problems problems) {
        List<String> cases = cells.cases(value.experiment());
        String name = value.caseName();
        if (name == null) {
            problems.require(
                    cases.size() < 2,
                    "case",
                    "is required, since " + value.experiment() + " has " + cases.size() + " cases",
                    null);
        } else if (!name.contains("*")) {
            require("case", name, cases, problems);
        } else {
            problems.require(
                    !cells.cases(value.experiment(), name).isEmpty(),
                    "case",
                    "must match a case of " + value.experiment(),
                    name);
        }
    }

    private static boolean require(String kind, String name, Collection<String> known, Problems problems) {
        boolean there = known.contains(name);
        problems.require(there, kind, there ? "" : LatencyMetric.unknownRule(kind, name, known), name);
        return there;
    }
}
