package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.claims.Claims;
import io.openmessaging.benchmark.config.DriverFile;
import io.openmessaging.benchmark.config.PublishedFile;
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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a plan, or says what it would run: everything is read and checked before the first run.
 *
 * @param plan what is run
 * @param byFile the driver of each driver file
 * @param published what the study has published, if there is a file beside the plan
 * @param parent where the folder of results is
 * @param fresh whether a new one is wanted in any case
 */
record PlanCommand(
        Plan plan,
        Map<DriverFile, ConfiguredDriver> byFile,
        Optional<PublishedFile> published,
        Path parent,
        boolean fresh)
        implements Job {

    /**
     * Reads the plan with everything that belongs to it.
     *
     * @throws PlanException with a line for each problem
     */
    static PlanCommand check(PlanRequest request, Path parent, boolean fresh) throws PlanException {
        Installation installation = Installation.fromSystemProperties();
        Plan plan = PlanReader.read(request, installation.home());
        Set<String> problems = new LinkedHashSet<>();
        Map<DriverFile, ConfiguredDriver> drivers = load(plan, installation, problems);
        Optional<PublishedFile> published = published(plan, problems);
        if (!problems.isEmpty()) {
            throw new PlanException(String.join("\n", problems));
        }
        return new PlanCommand(plan, drivers, published, parent, fresh);
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

    ConfiguredDriver driver(PlannedRun run) {
        return Objects.requireNonNull(byFile.get(run.setup().driver()), "not loaded");
    }

    @Override
    public void describe(BrokerStarter starter, PrintWriter out) {
        new PlanDescription(this, starter, out).print();
    }

    @Override
    public int run(Session session) throws UserException {
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
