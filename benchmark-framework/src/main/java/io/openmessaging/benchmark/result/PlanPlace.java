package io.openmessaging.benchmark.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where in a plan a run is.
 *
 * @param plan the plan's name
 * @param experiment the experiment's name
 * @param system the short name of the system
 * @param caseName the case's name
 * @param parameters the workload keys that make the case
 * @param repetition which, from 1
 * @param timeScale what durations and counts were multiplied with; 1 if nothing was shortened
 */
public record PlanPlace(
        String plan,
        String experiment,
        String system,
        String caseName,
        Map<String, @Nullable Object> parameters,
        int repetition,
        double timeScale) {

    /** The field that results have. */
    static final String PLAN = "plan";

    void addTo(ObjectNode root) {
        ObjectNode node = root.putObject(PLAN);
        node.put("name", plan);
        node.put("experiment", experiment);
        node.put("system", system);
        node.put("case", caseName);
        node.set("parameters", JsonMapper.shared().valueToTree(Secrets.mask(parameters)));
        node.put("repetition", repetition);
        node.set("timeScale", JsonText.decimal(timeScale));
    }
}
