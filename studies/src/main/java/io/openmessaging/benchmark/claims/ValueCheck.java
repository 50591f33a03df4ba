package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.config.PublishedFile.Value;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up the names of a published value: every one has to be in the plan, and the unit has to be the metric's. */
final class ValueCheck {

    private final Cells cells;
    private final ClaimCheck check;
    private final String place;
    private final List<Problem> problems = new ArrayList<>();

    ValueCheck(Cells cells, ClaimCheck check, String place) {
        this.cells = cells;
        this.check = check;
        this.place = place;
    }

    List<Problem> problems(Value value) {
        if (value.unmeasured() != null) {
            return problems;
        }
        require("metric", value.metric(), RunMetrics.names());
        Optional<String> unit = RunMetrics.unit(value.metric());
        if (value.unit() != null && unit.isPresent() && !unit.get().equals(value.unit())) {
            add("unit", "must be " + unit.get() + ", the unit of " + value.metric(), value.unit());
        }
        if (require("experiment", value.experiment(), cells.experiments())) {
            require("system", value.system(), cells.systems(value.experiment()));
            checkCase(value);
        }
        return problems;
    }

    private void checkCase(Value value) {
        List<String> cases = cells.cases(value.experiment());
        String name = value.caseName();
        if (name == null) {
            if (cases.size() > 1) {
                add("case", "must be there, as " + value.experiment() + " has " + cases.size() + " cases", null);
            }
        } else if (!name.contains("*")) {
            require("case", name, cases);
        } else if (check.cases(value.experiment(), name).isEmpty()) {
            add("case", "must be like a case of " + value.experiment(), name);
        }
    }

    private boolean require(String kind, String name, Collection<String> known) {
        if (!known.contains(name)) {
            add(kind, KnownKeys.unknownRule(kind, name, known), name);
        }
        return known.contains(name);
    }

    private void add(String key, String rule, @Nullable Object value) {
        problems.add(new Problem(place + key, rule, value));
    }
}
