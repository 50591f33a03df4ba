package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.config.PlanFile.Experiment;
import io.openmessaging.benchmark.driver.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The cases of an experiment: those that it names, or every combination of its parameters.
 *
 * @param problems receives what is wrong, with the keys within the experiment
 */
record Cases(Problems problems) {

    /** Name of the only case of an experiment without cases. */
    static final String DEFAULT_NAME = "default";

    /** More than any plan could run; keeps a typing error from exhausting the memory. */
    private static final int MAX_COMBINATIONS = 10_000;

    private static final String NAME = "name";
    private static final String PARAMETERS = "parameters";

    /**
     * A case.
     *
     * @param name unique within the experiment
     * @param keys of the workload
     * @param place location of the keys in the experiment
     */
    record Case(String name, Mapping keys, String place) {}

    List<Case> of(Experiment experiment) {
        if (!experiment.cases().isEmpty()) {
            return named(experiment.cases());
        }
        return experiment.parameters().isEmpty()
                ? List.of(new Case(DEFAULT_NAME, Mapping.empty(), ""))
                : combinations(experiment.parameters());
    }

    private List<Case> named(List<Mapping> cases) {
        List<Case> found = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < cases.size(); i++) {
            String place = "cases[" + i + "]";
            YamlNode name = cases.get(i).entries().get(NAME);
            String text = name instanceof Scalar scalar ? scalar.text() : "";
            if (text.isBlank()) {
                problems.add(place + ".name", "must be the name of the case", null);
                continue;
            }
            problems.require(names.add(text), place + ".name", "must be different from that of other cases", text);
            found.add(new Case(text, cases.get(i).without(NAME), place));
        }
        return found;
    }

    private List<Case> combinations(Map<String, List<YamlNode>> parameters) {
        List<Mapping> combinations = List.of(Mapping.empty());
        for (Map.Entry<String, List<YamlNode>> parameter : parameters.entrySet()) {
            List<Mapping> more = new ArrayList<>();
            for (Mapping combination : combinations) {
                for (YamlNode value : values(parameter.getKey(), parameter.getValue())) {
                    more.add(combination.with(new Mapping(Map.of(parameter.getKey(), value))));
                }
            }
            if (more.size() > MAX_COMBINATIONS) {
                problems.add(PARAMETERS, "must have at most " + MAX_COMBINATIONS + " combinations", null);
                return List.of();
            }
            combinations = more;
        }
        return combinations.stream()
                .map(keys -> new Case(nameOf(keys), keys, PARAMETERS))
                .toList();
    }

    /** Returns each value once; reports values that cannot be part of a name. */
    private List<YamlNode> values(String key, List<YamlNode> values) {
        Map<String, YamlNode> byText = new LinkedHashMap<>();
        for (YamlNode value : values) {
            if (!(value instanceof Scalar scalar)) {
                problems.add(PARAMETERS + "." + key, "must be a list of single values, use cases for others", value);
            } else if (byText.putIfAbsent(scalar.text(), value) != null) {
                problems.add(PARAMETERS + "." + key, "must have each value only once", scalar.text());
            }
        }
        return List.copyOf(byText.values());
    }

    private static String nameOf(Mapping keys) {
        return keys.entries().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + ((Scalar) entry.getValue()).text())
                .collect(Collectors.joining(", "));
    }
}
