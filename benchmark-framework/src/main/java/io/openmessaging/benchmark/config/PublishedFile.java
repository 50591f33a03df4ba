package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlKey;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The published values and claims of a study. This class does not check whether experiments, systems, cases and
 * metrics exist, or the content of expressions.
 *
 * @param path path as the user named it
 * @param keys content of the file
 */
public record PublishedFile(Path path, Keys keys) {

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]*");

    /** Reads a file of published values and claims. */
    public static PublishedFile read(Path path) throws ConfigException {
        return new PublishedFile(
                path, RecordBinder.bind(path, YamlFile.read(path).root(), Keys.class, Set.of()));
    }

    /**
     * The keys of the file.
     *
     * @param study short name of the study
     * @param citation citation of the publication; empty by default
     * @param values numbers; none by default
     * @param claims sentences; none by default
     */
    public record Keys(
            @Default("") String study,
            @Default("") String citation,
            @Default("[]") List<Value> values,
            @Default("[]") List<Claim> claims)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(!study.isBlank(), "study", "must be the study's short name", study);
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < claims.size(); i++) {
                String id = claims.get(i).id();
                problems.require(
                        ids.add(id), "claims[" + i + "].id", "must be different from those of other claims", id);
            }
        }
    }

    /** Which run of a cell a published number is of. */
    public enum OfRun {
        HIGHEST,
        LOWEST
    }

    /**
     * A published number.
     *
     * @param source the table or figure
     * @param experiment experiment of the plan
     * @param system system of the plan
     * @param caseName case of the experiment, the only one by default; with {@code *} as a wildcard, the mean of
     *     several
     * @param metric metric of the value
     * @param value the number; null only in a value that is refused
     * @param unit unit of the number, which must be the metric's
     * @param run which of the runs has the number; by default it is the mean of all
     * @param sd the published standard deviation
     * @param note remark for the reader
     * @param unmeasured reason that no comparable value is measured; metric, experiment, system and case are then free
     *     texts
     */
    public record Value(
            @Default("") String source,
            @Default("") String experiment,
            @Default("") String system,
            @YamlKey("case") @Nullable String caseName,
            @Default("") String metric,
            Double value,
            @Nullable String unit,
            @Nullable OfRun run,
            @Range(from = "0") @Nullable Double sd,
            @Nullable String note,
            @Nullable String unmeasured)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(!source.isBlank(), "source", "must be the table or figure", source);
            problems.require(!metric.isBlank(), "metric", "must be a metric", metric);
            problems.require(value != null, "value", "must be a number", value);
            if (unmeasured == null) {
                problems.require(!experiment.isBlank(), "experiment", "must be an experiment of the plan", experiment);
                problems.require(!system.isBlank(), "system", "must be a system of the plan", system);
            } else {
                problems.require(!unmeasured.isBlank(), "unmeasured", "must say why", unmeasured);
            }
        }
    }

    /**
     * A published sentence.
     *
     * @param id name in results
     * @param source place in the study
     * @param text the sentence, in one's own words
     * @param holds expression that must be true for the sentence to hold
     * @param reason reason that there is no such expression; instead of {@code holds}
     * @param note remark for the reader
     * @param contradicted how the study's own values contradict the claim; null if they do not
     * @param contrary values with which the claim would not hold, by reference; they replace published ones
     */
    public record Claim(
            @Default("") String id,
            @Default("") String source,
            @Default("") String text,
            @Nullable String holds,
            @Nullable String reason,
            @Nullable String note,
            @Nullable String contradicted,
            @Default("{}") Map<String, Double> contrary)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(ID.matcher(id).matches(), "id", "must be lower-case letters, digits and '-' only", id);
            problems.require(!source.isBlank(), "source", "must be the page, section, table or figure", source);
            problems.require(!text.isBlank(), "text", "must be the claim, as a sentence", text);
            problems.require(
                    (holds == null) != (reason == null),
                    "holds",
                    "must be an expression, or be absent with a reason that says why there is none",
                    holds);
        }
    }
}
