package io.openmessaging.benchmark.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The place of a run in a plan.
 *
 * @param plan the plan's name
 * @param experiment the experiment's name
 * @param system the short name of the system
 * @param caseName the case's name
 * @param parameters the workload keys that define the case
 * @param repetition number of the repetition, from 1
 * @param timeScale factor applied to durations and counts; 1 if nothing was shortened
 */
public record PlanPlace(
        String plan,
        String experiment,
        String system,
        String caseName,
        Map<String, @Nullable Object> parameters,
        int repetition,
        double timeScale) {}
