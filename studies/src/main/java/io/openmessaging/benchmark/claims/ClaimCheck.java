package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.plan.RunPattern;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Looks up the names in an expression: every one has to be in the plan. */
final class ClaimCheck {

    private final Cells cells;

    ClaimCheck(Cells cells) {
        this.cells = cells;
    }

    /** Reads an expression and looks up its names. */
    Expression parse(String text) throws ExpressionException {
        Expression expression = ExpressionParser.parse(text);
        for (Reference reference : expression.references()) {
            check(reference);
        }
        for (Part part : expression.parts()) {
            if (part instanceof Comparison comparison && open(comparison)) {
                List<Reference> references = comparison.references();
                if (cases(references).isEmpty()) {
                    throw new ExpressionException(
                            references.get(references.size() - 1).caseName().column(),
                            "there is no case that all references of the comparison have");
                }
            }
        }
        return expression;
    }

    static boolean open(Comparison comparison) {
        return comparison.references().stream().anyMatch(Reference::open);
    }

    private void check(Reference reference) throws ExpressionException {
        require("metric", reference.metric(), RunMetrics.names());
        require("experiment", reference.experiment(), cells.experiments());
        String experiment = reference.experiment().text();
        require("system of " + experiment, reference.system(), cells.systems(experiment));
        if (!reference.open()) {
            require("case of " + experiment, reference.caseName(), cells.cases(experiment));
        } else if (cases(reference).isEmpty()) {
            throw new ExpressionException(
                    reference.caseName().column(),
                    "no case of " + experiment + " is like '"
                            + reference.caseName().text() + "'");
        }
    }

    private static void require(String kind, Name name, Collection<String> known) throws ExpressionException {
        if (!known.contains(name.text())) {
            throw new ExpressionException(
                    name.column(), KnownKeys.unknownRule(kind, name.text(), known) + " ('" + name.text() + "')");
        }
    }

    /** The cases of a reference, in the order of the plan. */
    List<String> cases(Reference reference) {
        return cases(reference.experiment().text(), reference.caseName().text());
    }

    /** The cases of an experiment that are like a pattern, in the order of the plan. */
    List<String> cases(String experiment, String pattern) {
        return cells.cases(experiment).stream()
                .filter(name -> RunPattern.ofStars(pattern).matcher(name).matches())
                .toList();
    }

    /** The cases that all open ones among the references have. */
    List<String> cases(List<Reference> references) {
        Set<String> common = new LinkedHashSet<>();
        boolean first = true;
        for (Reference reference : references) {
            if (reference.open()) {
                if (first) {
                    common.addAll(cases(reference));
                } else {
                    common.retainAll(cases(reference));
                }
                first = false;
            }
        }
        return new ArrayList<>(common);
    }
}
