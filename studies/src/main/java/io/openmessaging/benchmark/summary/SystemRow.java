package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The runs of one system with one load: a row of the {@link SystemsTable}.
 *
 * @param system name of the system
 * @param runs in the order of their execution
 * @param variants how the runs differ if they are not repetitions of each other; else empty
 */
record SystemRow(String system, List<Run> runs, List<String> variants) {

    /** The rate that a search, a sweep or steps found. */
    private static final List<String> FOUND_RATES =
            List.of("sustainableRate", "highestSustainedRate", "saturationRate");

    /** The rate of any other run; one without a load has only the second. */
    private static final List<String> RATES = List.of(RunMetrics.PUBLISH_RATE, RunMetrics.TOTAL_RATE);

    private static final int MAX_CAUSES = 3;
    private static final int MAX_PROBLEM = 80;

    /**
     * What the table needs of a run.
     *
     * @param figures the figures that it is for
     * @param searched whether it searched for the highest rate: by a search, a sweep or steps
     * @param foundMsgPerSec the rate that the search found, confirmed or not; null if it found none
     * @param causes findings that decided the verdict, and what ended a FAILED run; a full machine first
     * @param metrics figures by name
     */
    record Run(
            SystemsTable.Figures figures,
            Verdict verdict,
            boolean searched,
            @Nullable Double foundMsgPerSec,
            List<String> causes,
            boolean onFullMachine,
            Map<String, Double> metrics) {

        static Run of(SystemsTable.Figures figures, Verdict verdict, @Nullable String problem, JsonNode result) {
            Set<String> full = new LinkedHashSet<>();
            Set<String> deciding = new LinkedHashSet<>();
            for (JsonNode finding : result.path("findings")) {
                String kind = finding.path("kind").asString("");
                String severity = finding.path("severity").asString("");
                if (Finding.isOfFullMachine(kind)) {
                    full.add(kind);
                } else if (severity.equals(Severity.INVALIDATES.name())
                        || severity.equals(Severity.MISSES_SLO.name())) {
                    deciding.add(kind);
                }
            }
            JsonNode found = result.path("search").path("foundRate");
            boolean manyLoads = result.path("rateSweep").isObject()
                    || result.path("saturation").isObject();
            Map<String, Double> metrics = RunMetrics.of(result);
            if (manyLoads) {
                // They are of all loads together.
                metrics.keySet()
                        .removeIf(name -> LatencyMetric.ALL.stream().anyMatch(each -> name.startsWith(each.name())));
            }
            return new Run(
                    figures,
                    verdict,
                    manyLoads || result.path("search").isObject(),
                    found.isNumber() ? found.doubleValue() : null,
                    verdict == Verdict.OK ? List.of() : causes(full, deciding, problem),
                    !full.isEmpty(),
                    metrics);
        }

        private static List<String> causes(Set<String> full, Set<String> deciding, @Nullable String problem) {
            List<String> causes =
                    Stream.concat(full.stream(), deciding.stream()).collect(Collectors.toCollection(ArrayList::new));
            if (problem != null) {
                String line = problem.lines().findFirst().orElse("");
                causes.add(line.length() > MAX_PROBLEM ? line.substring(0, MAX_PROBLEM - 1) + "…" : line);
            }
            return causes;
        }

        boolean isReliable() {
            return verdict == Verdict.OK || verdict == Verdict.SLO_MISSED;
        }
    }

    /** Returns the runs that give these figures. */
    private List<Run> giving(SystemsTable.Figures wanted) {
        return runs.stream()
                .filter(run -> run.figures() == SystemsTable.Figures.ALL || run.figures() == wanted)
                .toList();
    }

    /** Returns whether these figures mean what they seem to: at least one of the runs is OK or SLO_MISSED. */
    boolean isReliable(SystemsTable.Figures wanted) {
        return variants.isEmpty() && giving(wanted).stream().anyMatch(Run::isReliable);
    }

    /** Returns a figure over the reliable runs, or over the others if there are no reliable ones. */
    Optional<Estimate> figure(SystemsTable.Figures wanted, String metric) {
        boolean reliable = isReliable(wanted);
        double[] values = giving(wanted).stream()
                .filter(run -> run.isReliable() == reliable)
                .map(run -> run.metrics().get(metric))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return variants.isEmpty() && values.length > 0 ? Optional.of(Estimate.of(values)) : Optional.empty();
    }

    /** Returns the rate: the highest sustained one if the runs searched for it, else the published one. */
    Optional<Estimate> rate() {
        return (isSearched() ? FOUND_RATES : RATES)
                .stream()
                        .flatMap(name -> figure(SystemsTable.Figures.HIGHEST_RATE, name).stream())
                        .findFirst();
    }

    boolean isSearched() {
        return giving(SystemsTable.Figures.HIGHEST_RATE).stream().anyMatch(Run::searched);
    }

    boolean isOnFullMachine() {
        return runs.stream().anyMatch(Run::onFullMachine);
    }

    /** Returns the run whose measurement did not confirm the rate that its search found; empty if one did. */
    Optional<Run> unconfirmed() {
        return rate().isPresent()
                ? Optional.empty()
                : runs.stream().filter(run -> run.foundMsgPerSec() != null).findFirst();
    }

    /** Returns the lost messages of all runs together; empty if no run has the figure. */
    OptionalDouble lost() {
        return runs.stream()
                .map(run -> run.metrics().get("messagesLost"))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .reduce(Double::sum);
    }

    /** Returns the verdicts with their causes, for each kind of figures if these differ. */
    String verdicts() {
        if (!variants.isEmpty()) {
            return "not repetitions of each other: " + String.join("; ", variants);
        }
        List<String> parts = new ArrayList<>();
        Set<String> texts = new LinkedHashSet<>();
        for (SystemsTable.Figures figures : EnumSet.allOf(SystemsTable.Figures.class)) {
            List<Run> those =
                    runs.stream().filter(run -> run.figures() == figures).toList();
            if (!those.isEmpty()) {
                String text = verdicts(those);
                texts.add(text);
                parts.add(figures.label() + text);
            }
        }
        return String.join("; ", texts.size() == 1 ? texts : parts);
    }

    private static String verdicts(List<Run> those) {
        Map<Verdict, Long> counts = those.stream().collect(Collectors.groupingBy(Run::verdict, Collectors.counting()));
        String verdicts = counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(count -> (those.size() > 1 ? count.getValue() + " " : "") + count.getKey())
                .collect(Collectors.joining(", "));
        List<String> causes = those.stream()
                .flatMap(run -> run.causes().stream())
                .distinct()
                .sorted((a, b) -> Boolean.compare(Finding.isOfFullMachine(b), Finding.isOfFullMachine(a)))
                .toList();
        int more = causes.size() - MAX_CAUSES;
        return verdicts
                + (causes.isEmpty() ? "" : ": ")
                + causes.stream().limit(MAX_CAUSES).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
