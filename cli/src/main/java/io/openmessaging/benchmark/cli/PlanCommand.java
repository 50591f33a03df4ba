package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.claims.Claims;
import io.openmessaging.benchmark.config.DriverFile;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.coordinator.StopSignal;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanFolder;
import io.openmessaging.benchmark.plan.PlanReader;
import io.openmessaging.benchmark.plan.PlanRequest;
import io.openmessaging.benchmark.plan.PlannedRun;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a plan, or says what it would run: everything is read and checked before the first run.
 *
 * @param plan what is run
 * @param drivers the driver of each driver file
 * @param published what the study has published, if there is a file beside the plan
 */
record PlanCommand(Plan plan, Map<DriverFile, ConfiguredDriver> drivers, Optional<PublishedFile> published) {

    /**
     * Reads the plan with everything that belongs to it.
     *
     * @throws UserException with a line for each problem
     */
    static PlanCommand check(PlanRequest request, Installation installation) throws UserException {
        try {
            Plan plan = PlanReader.read(request, installation.home());
            List<String> problems = new ArrayList<>();
            Map<DriverFile, ConfiguredDriver> drivers = load(plan, installation, problems);
            Optional<PublishedFile> published = published(plan, problems);
            if (!problems.isEmpty()) {
                throw new UserException(String.join("\n", new LinkedHashSet<>(problems)));
            }
            return new PlanCommand(plan, drivers, published);
        } catch (PlanException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private static Map<DriverFile, ConfiguredDriver> load(Plan plan, Installation installation, List<String> problems) {
        DriverLoader loader = new DriverLoader(installation.drivers());
        Map<DriverFile, ConfiguredDriver> drivers = new IdentityHashMap<>();
        Set<DriverFile> files = new LinkedHashSet<>();
        plan.runs().forEach(run -> files.add(run.setup().driver()));
        for (DriverFile file : files) {
            try {
                drivers.put(file, ConfiguredDriver.load(file, loader));
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
        }
        return drivers;
    }

    private static Optional<PublishedFile> published(Plan plan, List<String> problems) {
        Path file = plan.published();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            PublishedFile published = PublishedFile.read(file);
            Claims.check(published, plan.cells());
            return Optional.of(published);
        } catch (ConfigException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    /** The drivers of the runs that are wanted. */
    List<ConfiguredDriver> wantedDrivers() {
        Set<ConfiguredDriver> wanted = new LinkedHashSet<>();
        for (PlannedRun run : plan.selected()) {
            wanted.add(driver(run));
        }
        return List.copyOf(wanted);
    }

    ConfiguredDriver driver(PlannedRun run) {
        ConfiguredDriver driver = drivers.get(run.setup().driver());
        if (driver == null) {
            throw new IllegalStateException(
                    "Not loaded: " + run.setup().driver().path());
        }
        return driver;
    }

    /** Runs the plan in its folder, and returns the exit code. */
    int run(
            Path parent,
            boolean fresh,
            BrokerStarter starter,
            StopSignal stop,
            RunExecutor executor,
            PrintWriter out,
            PrintWriter err)
            throws UserException {
        Environment environment = Environment.here(Installation.version(), "");
        PlanFolder folder;
        try {
            folder = PlanFolder.open(parent, plan, fresh, Clock.systemUTC(), environment);
        } catch (PlanException e) {
            throw new UserException("benchmark: " + e.getMessage());
        }
        try (folder) {
            LogFile.open(folder.path().resolve("benchmark.log"));
            return new PlanRunner(this, folder, starter, stop, executor, out, err).runAll();
        } catch (PlanException e) {
            err.println("benchmark: " + e.getMessage());
            return ExitCode.FAILED;
        }
    }
}
