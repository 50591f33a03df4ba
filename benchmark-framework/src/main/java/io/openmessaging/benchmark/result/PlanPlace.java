package io.openmessaging.benchmark.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        double timeScale) {}
