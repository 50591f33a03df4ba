package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanFolder;
import io.openmessaging.benchmark.plan.PlannedRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what a plan would run and how long that takes, without touching a broker. */
final class PlanDescription {

    private final PlanCommand command;
    private final BrokerStarter starter;
    private final PrintWriter out;

    PlanDescription(PlanCommand command, BrokerStarter starter, PrintWriter out) {
        this.command = command;
        this.starter = starter;
        this.out = out;
    }

    void print() {
        Plan plan = command.plan();
        Optional<Path> unfinished = command.fresh() ? Optional.empty() : PlanFolder.unfinished(command.parent(), plan);
        Long seed = unfinished.flatMap(PlanDescription::seedOf).orElseGet(plan::drawSeed);
        List<PlannedRun> selected = plan.selected();
        out.printf("plan %s: %d runs%n", plan.name(), selected.size());
        printSystems(selected);
        Map<Cell, List<PlannedRun>> byCell = selected.stream()
                .collect(Collectors.groupingBy(PlannedRun::cell, LinkedHashMap::new, Collectors.toList()));
        out.println(seed == null ? "runs of a repetition, in their order" : "runs of each cell");
        byCell.forEach((cell, runs) ->
                out.printf("  %3d × %-9s %s%n", runs.size(), DurationText.format(shortest(runs.get(0))), cell.path()));
        if (seed != null) {
            printOrder(plan.selectedInOrder(seed), seed, plan.seed() == null && unfinished.isEmpty());
        }
        Duration measuring = selected.stream().map(PlanDescription::shortest).reduce(Duration.ZERO, Duration::plus);
        Duration cooling = plan.selectedInOrder(seed).stream()
                .skip(1)
                .map(run -> run.setup().cooldown())
                .reduce(Duration.ZERO, Duration::plus);
        out.printf(
                "all together: at least %s%s, beside what brokers take to start%n",
                DurationText.format(measuring.plus(cooling)),
                cooling.isZero() ? "" : ", " + DurationText.format(cooling) + " of it cool-downs");
        unfinished.ifPresent(folder -> out.println("was interrupted, and would go on in " + folder));
    }

    /** The seed that an interrupted plan has its order from. */
    private static Optional<Long> seedOf(Path folder) {
        try {
            return Optional.ofNullable(Manifest.read(folder).seed());
        } catch (PlanException e) {
            return Optional.empty();
        }
    }

    private void printOrder(List<PlannedRun> selected, long seed, boolean drawnAnew) {
        out.printf(
                "all runs, in the order that seed %d gives%s%n",
                seed, drawnAnew ? "; another one is drawn when the plan begins, unless it says seed: " + seed : "");
        for (int i = 0; i < selected.size(); i++) {
            PlannedRun run = selected.get(i);
            out.printf("  %3d  %s, repetition %d%n", i + 1, run.cell().path(), run.repetition());
        }
    }

    private void printSystems(List<PlannedRun> selected) {
        Map<String, ConfiguredDriver> systems = new LinkedHashMap<>();
        selected.forEach(run -> systems.put(run.cell().system(), command.driver(run)));
        systems.forEach((name, driver) -> out.printf(
                "  %s: %s (%s), %s%n",
                name, driver.file().path(), driver.loaded().clientVersion(), starter.describe(driver)));
    }

    private static Duration shortest(PlannedRun run) {
        return Suite.shortest(run.setup().workload().workload());
    }
}
