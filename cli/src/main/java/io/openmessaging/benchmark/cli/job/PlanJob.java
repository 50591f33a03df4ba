package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.claims.Claims;
import io.openmessaging.benchmark.cli.console.PlanEstimate;
import io.openmessaging.benchmark.cli.console.WorkloadOutline;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanFolder;
import io.openmessaging.benchmark.plan.PlanReader;
import io.openmessaging.benchmark.plan.PlanRequest;
import io.openmessaging.benchmark.plan.PlannedRun;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs a plan, or describes it. Everything is read and checked before the first run.
 *
 * @param plan the plan
 * @param byFile the driver of each driver file
 * @param published the study's published claims, if there is a file beside the plan
 * @param parent parent of the folder of results
 * @param fresh whether to create a new folder even if one is unfinished
 * @param stopAfter time after which no further run starts; empty for no limit
 */
public record PlanJob(
        Plan plan,
        Map<DriverFile, ConfiguredDriver> byFile,
        Optional<PublishedFile> published,
        Path parent,
        boolean fresh,
        Optional<Duration> stopAfter)
        implements Job {

    /**
     * Reads the plan with all files that it refers to.
     *
     * @throws PlanException with a line for each problem
     */
    public static PlanJob check(PlanRequest request, Path parent, boolean fresh, Optional<Duration> stopAfter)
            throws PlanException {
        Installation installation = Installation.fromSystemProperties();
        Plan plan = PlanReader.read(request, installation.home());
        Set<String> problems = new LinkedHashSet<>();
        Map<DriverFile, ConfiguredDriver> drivers = load(plan, installation, problems);
        Optional<PublishedFile> published = published(plan, problems);
        for (PlannedRun run : plan.runs()) {
            PlannedRun.Setup setup = run.setup();
            Optional.ofNullable(drivers.get(setup.driver()))
                    .flatMap(driver -> driver.cannot(setup.workload()))
                    .ifPresent(problems::add);
        }
        if (!problems.isEmpty()) {
            throw new PlanException(String.join("\n", problems));
        }
        return new PlanJob(plan, drivers, published, parent, fresh, stopAfter);
    }

    private static Map<DriverFile, ConfiguredDriver> load(Plan plan, Installation installation, Set<String> problems) {
        DriverLoader loader = new DriverLoader(installation.drivers());
        Map<DriverFile, ConfiguredDriver> drivers = new HashMap<>();
        for (DriverFile file :
                plan.runs().stream().map(run -> run.setup().driver()).distinct().toList()) {
            try {
                drivers.put(file, ConfiguredDriver.load(file, loader));
            } catch (ConfigException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return drivers;
    }

    private static Optional<PublishedFile> published(Plan plan, Set<String> problems) {
        Path file = plan.published();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            PublishedFile published = PublishedFile.read(file);
            Claims.check(published, plan.cells());
            return Optional.of(published);
        } catch (ConfigException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    @Override
    public List<ConfiguredDriver> drivers() {
        return plan.selected().stream().map(this::driver).distinct().toList();
    }

    @Override
    public List<WorkloadFile> workloadsOf(ConfiguredDriver driver) {
        return plan.selected().stream()
                .filter(run -> driver(run).equals(driver))
                .map(run -> run.setup().workload())
                .distinct()
                .toList();
    }

    ConfiguredDriver driver(PlannedRun run) {
        return Objects.requireNonNull(byFile.get(run.setup().driver()), "not loaded");
    }

    @Override
    public void describe(BrokerStarter starter, PrintWriter out) {
        Optional<Path> unfinished = fresh ? Optional.empty() : PlanFolder.unfinished(parent, plan);
        Long seed = unfinished.flatMap(PlanJob::seedOf).orElseGet(plan::drawSeed);
        List<PlannedRun> selected = seed == null ? plan.selectedInOrder(null) : plan.selected();
        out.printf("plan %s: %d runs%n", plan.name(), selected.size());
        describeSystems(selected, starter, out);
        Map<Cell, List<PlannedRun>> byCell = selected.stream()
                .collect(Collectors.groupingBy(PlannedRun::cell, LinkedHashMap::new, Collectors.toList()));
        out.println(seed == null ? "runs of a repetition, in their order" : "runs of each cell");
        byCell.forEach((cell, runs) -> {
            Duration each = shortest(runs.get(0));
            // The time of a run that ends with its messages is not known.
            String time = each.isZero() ? "?" : DurationText.format(each);
            out.printf("  %3d × %-9s %s%n", runs.size(), time, cell.path());
        });
        if (seed != null) {
            describeOrder(plan.selectedInOrder(seed), seed, plan.seed() == null && unfinished.isEmpty(), out);
        }
        Duration cooling = plan.selectedInOrder(seed).stream()
                .skip(1)
                .map(run -> run.setup().cooldown())
                .reduce(Duration.ZERO, Duration::plus);
        new PlanEstimate(selected, plan.cells(), published).lines(cooling).forEach(out::println);
        unfinished.ifPresent(folder -> out.println("is unfinished, and would resume in " + folder));
    }

    /** Returns the seed that determined the order of an interrupted plan. */
    private static Optional<Long> seedOf(Path folder) {
        try {
            return Optional.ofNullable(Manifest.read(folder).seed());
        } catch (PlanException e) {
            return Optional.empty();
        }
    }

    private static void describeOrder(List<PlannedRun> selected, long seed, boolean redrawn, PrintWriter out) {
        out.printf(
                "all runs, in the order that seed %d gives%s%n",
                seed, redrawn ? "; another one is drawn when the plan starts, unless it sets seed: " + seed : "");
        for (int i = 0; i < selected.size(); i++) {
            PlannedRun run = selected.get(i);
            out.printf("  %3d  %s, repetition %d%n", i + 1, run.cell().path(), run.repetition());
        }
    }

    private void describeSystems(List<PlannedRun> selected, BrokerStarter starter, PrintWriter out) {
        Map<String, ConfiguredDriver> systems = new LinkedHashMap<>();
        selected.forEach(run -> systems.put(run.cell().system(), driver(run)));
        systems.forEach((name, driver) -> {
            out.printf(
                    "  %s: %s (%s), %s%n",
                    name, driver.file().path(), driver.loaded().clientVersion(), starter.describe(driver));
            RunLimits.describe(starter.limits(driver).during(starter.mayStart(driver)))
                    .ifPresent(limits -> out.printf("    limits: %s%n", limits));
        });
    }

    private static Duration shortest(PlannedRun run) {
        return WorkloadOutline.shortest(run.setup().workload().workload());
    }

    @Override
    public void look() throws ResultFileException {
        ResultFiles.look(parent);
    }

    @Override
    public int run(Invocation session) throws UserException {
        RunExecutor executor = new RunExecutor(session);
        PlanFolder folder;
        try {
            Environment environment = Environment.here(Installation.version(), "");
            folder = PlanFolder.open(parent, plan, fresh, Clock.systemUTC(), environment);
        } catch (PlanException e) {
            throw new UserException("benchmark: " + e.getMessage());
        }
        try (folder) {
            LogFile.open(folder.path().resolve("benchmark.log"));
            return new PlanRunner(this, folder, executor, session).runAll();
        } catch (PlanException e) {
            session.complain(String.valueOf(e.getMessage()));
            return ExitCode.FAILED;
        }
    }
}
