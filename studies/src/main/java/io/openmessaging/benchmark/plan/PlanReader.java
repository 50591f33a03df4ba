package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.config.DriverFile;
import io.openmessaging.benchmark.config.PlanFile;
import io.openmessaging.benchmark.config.PlanFile.Experiment;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.WorkloadKeys;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.plan.Cases.Case;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a plan of a plan file and everything that it names, and finds all that is wrong with any of them at once. */
public final class PlanReader {

    /** More than could ever be run; keeps a slip from filling the memory. */
    private static final int MAX_RUNS = 100_000;

    private static final String REPETITIONS = "--repetitions";

    /** A case of an experiment, ready to be run with each of the systems. */
    private record ReadyCase(
            Experiment experiment,
            PlanFile.Keys plan,
            Case which,
            WorkloadFile workload,
            List<DriverFile> drivers,
            List<String> systems) {}

    private final PlanRequest request;
    private final Path home;
    private final PlanProblems problems = new PlanProblems();
    private final Systems systems;
    private final List<RunPattern> only;
    private final Set<Path> files = new LinkedHashSet<>();
    private final Map<String, Path> experiments = new HashMap<>();

    private PlanReader(PlanRequest request, Path home) {
        this.request = request;
        this.home = home;
        this.systems = new Systems(home, problems);
        this.only = request.only().stream().map(RunPattern::new).toList();
    }

    /**
     * Reads a plan.
     *
     * @param home the installation, where files that are not beside the plan are looked for
     * @throws PlanException with a line for each problem
     */
    public static Plan read(PlanRequest request, Path home) throws PlanException {
        return new PlanReader(request, home).read();
    }

    private Plan read() throws PlanException {
        Integer repetitions = request.repetitions();
        if (repetitions != null && repetitions < 1) {
            problems.add("benchmark: " + REPETITIONS + " must be at least 1, got " + repetitions);
        }
        List<PlanPart> read = new PlanPart.Reader(home, problems).read(request.file());
        problems.throwIfAny();
        PlanPart top = read.get(0);
        top.all().forEach(systems::define);
        systems.replace(request.drivers(), top.file().path());
        List<ReadyCase> cases = new ArrayList<>();
        for (PlanPart part : top.all()) {
            files.add(part.file().path());
            cases.addAll(cases(part));
        }
        files.addAll(systems.files());
        if (cases.isEmpty() && problems.isEmpty()) {
            problems.add(top.file().path(), "experiments", "must have at least one", null);
        }
        problems.throwIfAny();
        List<PlannedRun> runs = runs(cases);
        checkSelection(runs);
        problems.throwIfAny();
        return new Plan(
                request,
                top.file().keys().name(),
                top.file().keys().description(),
                top.file().keys().order(),
                top.file().keys().seed(),
                runs,
                Digests.of(files, top.file().path().toAbsolutePath().resolveSibling("")));
    }

    private List<ReadyCase> cases(PlanPart part) {
        List<ReadyCase> cases = new ArrayList<>();
        List<Experiment> inPart = part.file().keys().experiments();
        for (int i = 0; i < inPart.size(); i++) {
            cases.addAll(cases(part, inPart.get(i), "experiments[" + i + "]."));
        }
        return cases;
    }

    private List<ReadyCase> cases(PlanPart part, Experiment experiment, String place) {
        Path planPath = part.file().path();
        Path before = experiments.putIfAbsent(experiment.name(), planPath);
        if (before != null) {
            problems.add(planPath, place + "name", "is the name of another experiment in " + before, experiment.name());
            return List.of();
        }
        List<String> used = systems(part, experiment, place);
        List<DriverFile> drivers = used.stream()
                .flatMap(system -> systems.driver(system, part).stream())
                .toList();
        Problems found = new Problems();
        List<Case> cases = new Cases(found).of(experiment);
        found.found()
                .forEach(problem -> problems.add(planPath, place + problem.key(), problem.rule(), problem.value()));
        List<ReadyCase> ready = new ArrayList<>();
        for (Case which : cases) {
            workload(part, experiment, which, place)
                    .filter(workload -> drivers.size() == used.size())
                    .ifPresent(workload ->
                            ready.add(new ReadyCase(experiment, part.file().keys(), which, workload, drivers, used)));
        }
        return ready;
    }

    private List<String> systems(PlanPart part, Experiment experiment, String place) {
        List<String> visible = part.all().stream()
                .flatMap(each -> each.file().keys().systems().keySet().stream())
                .distinct()
                .toList();
        List<String> wanted = experiment.systems() == null ? visible : experiment.systems();
        List<String> used = new ArrayList<>();
        for (String system : wanted) {
            if (visible.contains(system)) {
                used.add(system);
            } else {
                problems.add(
                        part.file().path(),
                        place + "systems",
                        KnownKeys.unknownRule("system", system, visible),
                        system);
            }
        }
        if (wanted.isEmpty()) {
            problems.add(part.file().path(), "systems", "must have at least one", null);
        }
        return used;
    }

    private Optional<WorkloadFile> workload(PlanPart part, Experiment experiment, Case which, String place) {
        Path path;
        try {
            path = part.locate(experiment.workload(), home);
        } catch (InvalidPathException e) {
            problems.add(part.file().path(), place + "workload", "must be a workload file", experiment.workload());
            return Optional.empty();
        }
        if (!path.toFile().exists()) {
            problems.add(
                    part.file().path(),
                    place + "workload",
                    "there is no such file beside the plan or in " + home,
                    experiment.workload());
            return Optional.empty();
        }
        files.add(path);
        try {
            Mapping upper = WorkloadKeys.over(experiment.settings(), which.keys());
            WorkloadFile workload = WorkloadFile.read(path, home, upper, request.timeScale());
            workload.payload().ifPresent(files::add);
            return Optional.of(workload);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> addWhereWritten(problem, e.file(), part, experiment, which, place));
            return Optional.empty();
        }
    }

    /** Says what is wrong with a key where the user wrote it: in the case, in {@code set}, or in the workload file. */
    private void addWhereWritten(
            Problem problem, Path workload, PlanPart part, Experiment experiment, Case which, String place) {
        String key = problem.key().split("[.\\[]", 2)[0];
        Path planPath = part.file().path();
        if (which.keys().entries().containsKey(key)) {
            problems.add(planPath, place + which.place() + "." + problem.key(), problem.rule(), problem.value());
        } else if (experiment.settings().entries().containsKey(key)) {
            problems.add(planPath, place + "set." + problem.key(), problem.rule(), problem.value());
        } else {
            problems.add(new ConfigException(workload, List.of(problem)));
        }
    }

    /** Repetition by repetition, and the systems take turns, so that what changes on the machine hits all of them. */
    private List<PlannedRun> runs(List<ReadyCase> cases) {
        int most = cases.stream().mapToInt(this::repetitions).max().orElse(0);
        ResultNames names = new ResultNames();
        List<PlannedRun> runs = new ArrayList<>();
        for (int repetition = 1; repetition <= most; repetition++) {
            for (ReadyCase ready : cases) {
                for (int i = 0; i < ready.systems().size() && repetition <= repetitions(ready); i++) {
                    if (runs.size() == MAX_RUNS) {
                        problems.add(request.file(), "experiments", "must have at most " + MAX_RUNS + " runs", null);
                        return runs;
                    }
                    runs.add(run(runs.size() + 1, ready, i, repetition, names));
                }
            }
        }
        return runs;
    }

    private int repetitions(ReadyCase ready) {
        return firstOf(
                request.repetitions(),
                ready.experiment().repetitions(),
                ready.plan().repetitions());
    }

    private PlannedRun run(int number, ReadyCase ready, int system, int repetition, ResultNames names) {
        Case which = ready.which();
        Cell cell = new Cell(
                ready.experiment().name(),
                ready.systems().get(system),
                which.name(),
                which.keys().toObject());
        TimeScale scale = request.timeScale();
        Duration cooldown =
                firstOf(null, ready.experiment().cooldown(), ready.plan().cooldown());
        return new PlannedRun(
                number,
                cell,
                repetition,
                only.isEmpty() || only.stream().anyMatch(pattern -> pattern.matches(cell)),
                names.of(cell, repetition),
                ready.workload(),
                ready.drivers().get(system),
                scale.of(cooldown),
                firstOf(null, ready.experiment().restartBroker(), ready.plan().restartBroker()));
    }

    private static <T> T firstOf(@Nullable T first, @Nullable T second, T last) {
        return first != null ? first : Objects.requireNonNullElse(second, last);
    }

    private void checkSelection(List<PlannedRun> runs) {
        for (RunPattern pattern : only) {
            if (runs.stream().noneMatch(run -> pattern.matches(run.cell()))) {
                Set<String> heads = new LinkedHashSet<>();
                runs.forEach(run ->
                        heads.add(run.cell().experiment() + "/" + run.cell().system()));
                int shown = Math.min(heads.size(), 6);
                String more = heads.size() > shown ? ", …" : "";
                problems.add("benchmark: --only " + pattern + ": matches none of the runs of " + request.file() + ": "
                        + String.join(", ", List.copyOf(heads).subList(0, shown)) + more);
            }
        }
    }
}
