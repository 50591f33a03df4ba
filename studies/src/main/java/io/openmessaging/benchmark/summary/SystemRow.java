package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult.RateRange;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.FoundRate;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
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
import tools.jackson.databind.json.JsonMapper;

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

    /** The rate of any other run; the first is that of a number of messages, over the time until the last arrived. */
    private static final List<String> RATES = List.of(RunMetrics.TOTAL_RATE, RunMetrics.PUBLISH_RATE);

    /** Kinds of notes that tell why end-to-end latencies are missing. */
    private static final List<String> END_TO_END_MISSING = SharedDefinitions.texts("findings.yaml", "endToEndMissing");

    private static final int MAX_PROBLEM = 80;

    /**
     * What the table needs of a run.
     *
     * @param figures the figures that it is for
     * @param searched whether it searched for the highest rate: by a search, a sweep or steps
     * @param found what the search found; null if that is nothing
     * @param causes findings that decided the verdict, then what ended a FAILED run
     * @param notes texts of other findings by kind
     * @param metrics figures by name
     */
    record Run(
            SystemsTable.Figures figures,
            Verdict verdict,
            boolean searched,
            @Nullable FoundRate found,
            List<String> causes,
            Map<String, String> notes,
            Map<String, Double> metrics) {

        static Run of(SystemsTable.Figures figures, Verdict verdict, @Nullable String problem, JsonNode result) {
            Map<String, String> notes = new LinkedHashMap<>();
            Set<String> deciding = new LinkedHashSet<>();
            for (JsonNode each : result.path("findings")) {
                Finding finding = JsonMapper.shared().treeToValue(each, Finding.class);
                if (finding.decidesVerdict()) {
                    deciding.add(finding.kind());
                } else {
                    notes.putIfAbsent(finding.kind(), finding.text());
                }
            }
            boolean manyLoads = result.path("rateSweep").isObject()
                    || result.path("saturation").isObject();
            Map<String, Double> metrics = RunMetrics.of(result);
            if (manyLoads) {
                // They are of all loads together.
                metrics.keySet()
                        .removeIf(name -> LatencyMetric.ALL.stream().anyMatch(each -> name.startsWith(each.name())));
            }
            JsonNode workload = result.path("workloadEffective");
            if (workload.path("messageCount").isNumber()
                    && workload.path("consumerPerSubscription").asInt(0) > 0
                    && workload.path("subscriptionsPerTopic").asInt(0) > 0) {
                // How fast so few were sent says little about the system.
                metrics.remove(RunMetrics.PUBLISH_RATE);
            }
            return new Run(
                    figures,
                    verdict,
                    manyLoads || result.path("search").isObject(),
                    FoundRate.of(result).orElse(null),
                    causes(deciding, problem),
                    notes,
                    metrics);
        }

        private static List<String> causes(Set<String> deciding, @Nullable String problem) {
            List<String> causes = new ArrayList<>(deciding);
            if (problem != null) {
                String line = problem.lines().findFirst().orElse("");
                causes.add(line.length() > MAX_PROBLEM ? line.substring(0, MAX_PROBLEM - 1) + "…" : line);
            }
            return causes;
        }

        private boolean isGood() {
            return verdict == Verdict.OK || verdict == Verdict.SLO_MISSED;
        }

        /** Returns whether the run is good, but the rate that its search found is no figure to rely on. */
        boolean isVague() {
            return isGood() && found != null && found.isVague();
        }

        /** Returns whether these figures of the run mean what they seem to. */
        boolean isReliable(SystemsTable.Figures wanted) {
            return isGood() && (wanted == SystemsTable.Figures.LATENCIES || !isVague());
        }

        boolean onFullMachine() {
            return kinds().anyMatch(Finding::isOfFullMachine);
        }

        boolean onSharedMachine() {
            return kinds().anyMatch(Finding::isOfSharedMachine);
        }

        private Stream<String> kinds() {
            return Stream.concat(causes.stream(), notes.keySet().stream());
        }

        /** Returns the notes on what the machine may have done to the figures, if the verdict does not say it. */
        private Stream<String> suspicions() {
            return notes.keySet().stream()
                    .filter(kind -> Finding.isOfSharedMachine(kind)
                            ? !isVague()
                            : verdict != Verdict.OK && Finding.isOfFullMachine(kind));
        }
    }

    /** Returns the runs that give these figures. */
    private List<Run> giving(SystemsTable.Figures wanted) {
        return runs.stream()
                .filter(run -> run.figures() == SystemsTable.Figures.ALL || run.figures() == wanted)
                .toList();
    }

    /** Returns whether these figures mean what they seem to, in at least one of the runs. */
    boolean isReliable(SystemsTable.Figures wanted) {
        return variants.isEmpty() && giving(wanted).stream().anyMatch(run -> run.isReliable(wanted));
    }

    /**
     * Returns whether others on the machine may have changed the latencies that count. They cannot have raised the rate
     * that was achieved, and the rate of a search is {@linkplain Run#isVague vague} then.
     */
    boolean hasSharedLatencies() {
        return counted(SystemsTable.Figures.LATENCIES).anyMatch(Run::onSharedMachine);
    }

    /** Returns whether these figures are put in brackets. */
    boolean isDoubtful(SystemsTable.Figures wanted) {
        return !isReliable(wanted) || wanted == SystemsTable.Figures.LATENCIES && hasSharedLatencies();
    }

    /** Returns the reliable runs that give these figures, or the others if there are no reliable ones. */
    private Stream<Run> counted(SystemsTable.Figures wanted) {
        boolean reliable = isReliable(wanted);
        return giving(wanted).stream().filter(run -> run.isReliable(wanted) == reliable);
    }

    /** Returns whether the search of a good run has no figure to rely on. */
    boolean isVague() {
        return runs.stream().anyMatch(Run::isVague);
    }

    /** Returns a figure over the runs that count. */
    Optional<Estimate> figure(SystemsTable.Figures wanted, String metric) {
        double[] values = counted(wanted)
                .map(run -> run.metrics().get(metric))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return variants.isEmpty() && values.length > 0 ? Optional.of(Estimate.of(values)) : Optional.empty();
    }

    /** Returns the rate: the highest sustained one if the runs searched for it, else the one achieved. */
    Optional<Estimate> rate() {
        return (isSearched() ? FOUND_RATES : RATES)
                .stream()
                        .flatMap(name -> figure(SystemsTable.Figures.HIGHEST_RATE, name).stream())
                        .findFirst();
    }

    /** Returns why runs do not have a latency that counts from a message's header, each reason once. */
    Stream<String> whyUnmeasured(String metric) {
        return giving(SystemsTable.Figures.LATENCIES).stream()
                .filter(run -> !run.metrics().containsKey(metric))
                .flatMap(run -> END_TO_END_MISSING.stream()
                        .map(run.notes()::get)
                        .filter(Objects::nonNull)
                        .limit(1))
                .distinct();
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
                : runs.stream().filter(run -> run.found() != null).findFirst();
    }

    /** Returns the rate by which the row is sorted: also one that was not confirmed; lowest without any. */
    double rankingMsgPerSec() {
        return rate().map(Estimate::median)
                .or(() -> unconfirmed().map(Run::found).map(FoundRate::msgPerSec))
                .orElse(Double.NEGATIVE_INFINITY);
    }

    /** Returns the lost messages of all runs together; empty if no run has the figure. */
    OptionalDouble lost() {
        return runs.stream()
                .map(run -> run.metrics().get("messagesLost"))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .reduce(Double::sum);
    }

    /** Returns the verdicts with their causes, then notes on the machine, for each kind of figures if these differ. */
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
                parts.add(those.stream().allMatch(Run::isVague) ? text : figures.label() + text);
            }
        }
        return String.join("; ", texts.size() == 1 ? texts : parts);
    }

    private static String verdicts(List<Run> those) {
        Map<String, Long> counts = those.stream()
                .sorted(Comparator.comparing(Run::verdict).thenComparing(Run::isVague))
                .collect(Collectors.groupingBy(
                        run -> run.isVague() ? limit(those) : run.verdict().name(),
                        LinkedHashMap::new,
                        Collectors.counting()));
        String verdicts = counts.entrySet().stream()
                .map(count -> (those.size() > 1 ? count.getValue() + " " : "") + count.getKey())
                .collect(Collectors.joining(", "));
        List<String> causes =
                those.stream().flatMap(run -> run.causes().stream()).distinct().toList();
        Stream<String> noted = those.stream().flatMap(Run::suspicions).filter(kind -> !causes.contains(kind));
        return verdicts + named(": ", causes.stream(), "") + named(" (noted: ", noted, ")");
    }

    private static String named(String before, Stream<String> kinds, String after) {
        String names = kinds.distinct().collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : before + names + after;
    }

    /** Returns the range that has the limits of all vague runs. */
    private static String limit(List<Run> those) {
        List<RateRange> limits = those.stream()
                .filter(Run::isVague)
                .map(Run::found)
                .filter(Objects::nonNull)
                .map(FoundRate::limit)
                .filter(Objects::nonNull)
                .toList();
        double low = limits.stream().mapToDouble(RateRange::lowMsgPerSec).min().orElse(0);
        List<Double> highs = limits.stream()
                .map(RateRange::highMsgPerSec)
                .filter(Objects::nonNull)
                .toList();
        Double high = highs.size() < limits.size() ? null : Collections.max(highs);
        boolean shared = those.stream().anyMatch(run -> run.isVague() && run.onSharedMachine());
        return "limit " + new RateRange(low, high).inWords(shared);
    }
}
