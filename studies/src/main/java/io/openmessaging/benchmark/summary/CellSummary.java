package io.openmessaging.benchmark.summary;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cell over all its runs, as the summary's file has it.
 *
 * @param cell which
 * @param runs how many came to their end
 * @param invalid how many of those have the verdict INVALID
 * @param sloMissed how many of them missed their SLO; their figures count like any others
 * @param failed how many were ended by an error
 * @param variants what the runs differ in if they are no repetitions of each other, else empty
 * @param metrics what the runs measured; without the INVALID ones, unless there are no others or {@linkplain
 *     RunMetrics#isOfAllRuns they count as well}; nothing with variants
 */
@JsonPropertyOrder({"cell", "runs", "invalid", "sloMissed", "failed", "invalidIncluded", "variants", "metrics"})
public record CellSummary(
        @JsonUnwrapped Cell cell,
        int runs,
        int invalid,
        int sloMissed,
        int failed,
        List<String> variants,
        Map<String, Estimate> metrics) {

    public CellSummary {
        variants = List.copyOf(variants);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** Whether the metrics are of INVALID runs, because there are no others. */
    @JsonProperty
    public boolean invalidIncluded() {
        return runs > 0 && invalid == runs;
    }

    /** How many runs a metric rests on, if all of them have it. */
    public int counted(String metric) {
        return invalidIncluded() || RunMetrics.isOfAllRuns(metric) ? runs : runs - invalid;
    }

    /** How many runs the metrics do not rest on, since they failed or are INVALID; 0 if no others are left. */
    public int leftOut() {
        return runs > invalid ? failed + invalid : 0;
    }
}
