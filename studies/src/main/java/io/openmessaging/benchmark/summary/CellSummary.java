package io.openmessaging.benchmark.summary;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.openmessaging.benchmark.metric.Weakness;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.result.file.FoundRate;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cell over all its runs, as in the summary file.
 *
 * @param cell the cell
 * @param runs number of completed runs
 * @param invalid number of those with verdict INVALID
 * @param sloMissed number of those that missed their SLO; their figures count like any others
 * @param failed number of runs ended by an error
 * @param unreliableRates number of valid runs whose rates do not count, see {@link FoundRate#isVague}
 * @param variants differences between the runs if they are not repetitions of each other, else empty
 * @param metrics figures of the runs; without the INVALID ones, unless there are no others or {@linkplain
 *     RunMetrics#isOfAllRuns they count as well}; none of these if there are variants. Also the percentages of runs
 *     that showed a {@link Weakness}, by its name
 */
@JsonPropertyOrder({
    "cell",
    "runs",
    "invalid",
    "sloMissed",
    "failed",
    "unreliableRates",
    "invalidIncluded",
    "variants",
    "metrics"
})
public record CellSummary(
        @JsonUnwrapped Cell cell,
        int runs,
        int invalid,
        int sloMissed,
        int failed,
        int unreliableRates,
        List<String> variants,
        Map<String, Estimate> metrics) {

    /** Ends the name of the standard deviation of a metric over the runs. */
    private static final String SD = "Sd";

    public CellSummary {
        variants = List.copyOf(variants);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** Returns the names of all metrics that a cell can have, and of their standard deviations. */
    public static Set<String> metricNames() {
        Set<String> names = new LinkedHashSet<>(RunMetrics.names());
        Stream.of(Weakness.values()).forEach(weakness -> names.add(weakness.toString()));
        RunMetrics.names().forEach(metric -> names.add(sd(metric)));
        return names;
    }

    /** Returns the name of the standard deviation of a metric. */
    public static String sd(String metric) {
        return metric + SD;
    }

    /** Returns whether a name is that of a standard deviation. */
    public static boolean isSd(String name) {
        return name.endsWith(SD);
    }

    /** Returns the metric that a name is about: itself, or the one whose standard deviation it names. */
    private static String metric(String name) {
        return isSd(name) ? name.substring(0, name.length() - SD.length()) : name;
    }

    /** Returns whether a metric is the percentage of the runs that showed a weakness. */
    public static boolean isWeakness(String metric) {
        return Stream.of(Weakness.values())
                .anyMatch(weakness -> weakness.toString().equals(metric));
    }

    /** Returns the unit of a metric or of its standard deviation; empty if there is no such metric. */
    public static Optional<String> unit(String name) {
        return isWeakness(name) ? Optional.of("% of runs") : RunMetrics.unit(metric(name));
    }

    /** Returns the estimate of a metric or of its standard deviation; null if the runs have none. */
    public @Nullable Estimate estimate(String name) {
        return estimate(name, 1);
    }

    /** Returns the estimate as {@linkplain Estimate#among one of so many}. */
    public @Nullable Estimate estimate(String name, int among) {
        Estimate itself = metrics.get(name);
        if (itself != null) {
            return itself.among(among);
        }
        Estimate ofMetric = metrics.get(metric(name));
        return ofMetric == null ? null : ofMetric.among(among).ofSd();
    }

    /** Returns whether the metrics are from INVALID runs because there are no others. */
    @JsonProperty
    public boolean invalidIncluded() {
        return runs > 0 && invalid == runs;
    }

    /** Returns how many runs a metric is based on, if all of them have it. */
    public int counted(String name) {
        return invalidIncluded() || RunMetrics.isOfAllRuns(metric(name)) ? runs : runs - invalid;
    }

    /** Returns how many of the runs that a metric could be based on have no value of it to rely on. */
    public int unreliable(String name) {
        return RunMetrics.isSearched(metric(name)) ? unreliableRates : 0;
    }

    /** Returns how many runs the metrics leave out because they failed or are INVALID; 0 if no others are left. */
    public int leftOut() {
        return runs > invalid ? failed + invalid : 0;
    }
}
