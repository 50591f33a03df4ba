package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.PlanRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code bin/benchmark} that are about plans. */
final class PlanOptions {

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = {
                "Runs a plan: workloads with systems, cases and repetitions; or goes on with it where it was interrupted.",
                "With it, --drivers FILE or NAME=FILE replaces driver files of the plan."
            })
    @Nullable
    Path plan;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            description = "Of a plan: only the runs that match experiment/system/case, with * and ?.")
    private List<String> only = List.of();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Of a plan: how often everything is run, instead of what it says.")
    private @Nullable Integer repetitions;

    @Option(
            names = "--time-scale",
            paramLabel = "FACTOR",
            description = "Of a plan: multiplies durations, cool-downs and counts, such as 0.02; results are marked.")
    private @Nullable Double timeScale;

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description = "Of a plan: where its folder of results is (default: results).")
    @Nullable
    Path outputDir;

    @Option(names = "--fresh", description = "Of a plan: begins anew even if it was interrupted.")
    boolean fresh;

    @Option(
            names = "--judge",
            paramLabel = "DIR",
            description = "Judges the claims of a study on the results of its plan.")
    @Nullable
    Path judge;

    @Option(
            names = "--published",
            paramLabel = "FILE",
            description = "With --judge: the claims (default: published.yaml beside the plan).")
    @Nullable
    Path published;

    /** Refuses options that have no effect here. */
    void check() throws UserException {
        Map<String, Boolean> ofPlans = Map.of(
                "--only", !only.isEmpty(),
                "--repetitions", repetitions != null,
                "--time-scale", timeScale != null,
                "--output-dir", outputDir != null,
                "--fresh", fresh);
        String without = ofPlans.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(", "));
        if (plan == null && !without.isEmpty()) {
            throw new UserException("benchmark: " + without + ": only with --plan");
        }
        if (judge == null && published != null) {
            throw new UserException("benchmark: --published: only with --judge");
        }
        if (judge != null && plan != null) {
            throw new UserException("benchmark: --judge: not with --plan, which judges by itself when it is done");
        }
    }

    /** How the plan that is to be run is asked for. */
    PlanRequest request(Path file, List<Path> drivers) throws UserException {
        Catalog catalog = new Catalog(Installation.fromSystemProperties().home());
        Path found = catalog.find(Catalog.Kind.PLAN, file)
                .orElseThrow(() -> new UserException(catalog.unknown(Catalog.Kind.PLAN, file)));
        try {
            TimeScale scale = timeScale == null ? TimeScale.FULL : new TimeScale(timeScale);
            List<String> replacements = drivers.stream().map(Path::toString).toList();
            return new PlanRequest(found, only, scale, repetitions, replacements);
        } catch (IllegalArgumentException e) {
            throw new UserException("benchmark: --time-scale " + e.getMessage());
        }
    }
}
