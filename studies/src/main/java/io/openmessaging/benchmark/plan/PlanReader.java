package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.config.PlanFile;
import io.openmessaging.benchmark.config.PlanFile.Experiment;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.WorkloadKeys;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.plan.Cases.Case;
import io.openmessaging.benchmark.plan.PlannedRun.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a plan file and everything that it names, and reports the problems of all files at once. */
public final class PlanReader {

    /** More than could ever be run; keeps a typing error from exhausting the memory. */
    private static final int MAX_RUNS = 100_000;

    /** Maximum number of candidates that a message about {@code --only} names. */
    private static final int NAMED_CELLS = 6;

    private static final String DIGEST = "SHA-256";

    /** A cell and its number of repetitions. */
    private record Repeated(Cell cell, Setup setup, int repetitions) {}

    private final PlanRequest request;
    private final Path home;
    private final PlanProblems problems = new PlanProblems();
    private final Systems systems;
    private final List<RunPattern> only;
    private final Set<Path> files = new LinkedHashSet<>();
    private final Map<String, Path> experiments = new HashMap<>();
    private final List<Repeated> cells = new ArrayList<>();

    private PlanReader(PlanRequest request, Path home) {
        this.request = request;
        this.home = home;
        this.systems = new Systems(home, problems);
        this.only = request.only().stream().map(RunPattern::new).toList();
    }

    /**
     * Reads a plan.
     *
     * @param home the installation, which is searched for files that are not beside the plan
     * @throws PlanException with a line for each problem
     */
    public static Plan read(PlanRequest request, Path home) throws PlanException {
        return new PlanReader(request, home).read();
    }

    private Plan read() throws PlanException {
        Integer repetitions = request.repetitions();
        if (repetitions != null && repetitions < 1) {
            problems.add("benchmark: --repetitions must be at least 1, got " + repetitions);
        }
        Optional<PlanPart> read = PlanPart.read(request.file(), home, problems);
        problems.throwIfAny();
        PlanPart top = read.orElseThrow();
        Path path = top.file().path();
        top.all().forEach(systems::define);
        systems.replace(request.drivers(), path);
        for (PlanPart part : top.all()) {
            files.add(part.file().path());
            List<Experiment> inPart = part.file().keys().experiments();
            for (int i = 0; i < inPart.size(); i++) {
                new ExperimentReader(part, inPart.get(i), "experiments[" + i + "].").addCells();
            }
        }
        files.addAll(systems.files());
        if (cells.isEmpty() && problems.isEmpty()) {
            problems.add(path, "experiments", "must have at least one", null);
        }
        problems.throwIfAny();
        List<PlannedRun> runs = runs();
        checkSelection(runs);
        problems.throwIfAny();
        PlanFile.Keys keys = top.file().keys();
        return new Plan(request, keys.name(), keys.order(), keys.seed(), runs, digests(path));
    }

    /** Reads the files that an experiment names, and reports each problem at the place where it is written. */
    private final class ExperimentReader {

        private final PlanPart part;
        private final Experiment experiment;
        private final String place;

        /** Creates a reader for an experiment of a part, whose keys start with the place. */
        ExperimentReader(PlanPart part, Experiment experiment, String place) {
            this.part = part;
            this.experiment = experiment;
            this.place = place;
        }

        private void problem(String key, String rule, @Nullable Object value) {
            problems.add(part.file().path(), place + key, rule, value);
        }

        /**
         * Adds the cells case by case, and for each case the systems in turn, so that changes of the machine affect all
         * systems.
         */
        void addCells() {
            Path before = experiments.putIfAbsent(experiment.name(), part.file().path());
            if (before != null) {
                problem("name", "is the name of another experiment in " + before, experiment.name());
                return;
            }
            Map<String, DriverFile> drivers = new LinkedHashMap<>();
            systems().forEach(system -> systems.driver(system, part).ifPresent(driver -> drivers.put(system, driver)));
            Problems found = new Problems();
            List<Case> cases = new Cases(found).of(experiment);
            found.found().forEach(each -> problem(each.key(), each.rule(), each.value()));
            for (Case which : cases) {
                workload(which)
                        .ifPresent(workload -> drivers.forEach(
                                (system, driver) -> cells.add(repeated(system, which, workload, driver))));
            }
        }

        private Repeated repeated(String system, Case which, WorkloadFile workload, DriverFile driver) {
            PlanFile.Keys plan = part.file().keys();
            Duration written = Objects.requireNonNullElse(experiment.cooldown(), plan.cooldown());
            Duration cooldown = Objects.requireNonNullElse(
                    request.cooldown(), request.timeScale().of(written));
            boolean restartBroker = Objects.requireNonNullElse(experiment.restartBroker(), plan.restartBroker());
            int repetitions = Objects.requireNonNullElse(experiment.repetitions(), plan.repetitions());
            return new Repeated(
                    new Cell(
                            experiment.name(),
                            system,
                            which.name(),
                            which.keys().toObject()),
                    new Setup(workload, driver, cooldown, restartBroker),
                    Objects.requireNonNullElse(request.repetitions(), repetitions));
        }

        private List<String> systems() {
            List<String> visible = part.all().stream()
                    .flatMap(each -> each.file().keys().systems().keySet().stream())
                    .distinct()
                    .toList();
            List<String> wanted = Objects.requireNonNullElse(experiment.systems(), visible);
            if (wanted.isEmpty()) {
                problems.add(part.file().path(), "systems", "must have at least one", null);
            }
            wanted.stream()
                    .filter(system -> !visible.contains(system))
                    .forEach(system -> problem("systems", KnownKeys.unknownRule("system", system, visible), system));
            return wanted.stream().filter(visible::contains).toList();
        }

        private Optional<WorkloadFile> workload(Case which) {
            try {
                Path path = part.locate(experiment.workload(), home);
                if (!Files.exists(path)) {
                    problem("workload", "there is no such file beside the plan or in " + home, experiment.workload());
                    return Optional.empty();
                }
                files.add(path);
                Mapping upper = WorkloadKeys.over(experiment.settings(), which.keys());
                WorkloadFile workload = WorkloadFile.read(path, home, upper, request.timeScale());
                if (workload.payload().isPresent()) {
                    files.addAll(workload.payload().get().files());
                }
                return Optional.of(workload);
            } catch (InvalidPathException e) {
                problem("workload", "must be a workload file", experiment.workload());
            } catch (IOException e) {
                problem("workload", "has a payload that cannot be read: " + e.getMessage(), experiment.workload());
            } catch (ConfigException e) {
                e.problems().forEach(each -> addWhereWritten(each, e.file(), which));
            }
            return Optional.empty();
        }

        /** Reports a problem in the case, in {@code set}, or in the workload file, wherever the key is written. */
        private void addWhereWritten(Problem problem, Path workload, Case which) {
            String key = problem.key().split("[.\\[]", 2)[0];
            if (which.keys().entries().containsKey(key)) {
                problem(which.place() + "." + problem.key(), problem.rule(), problem.value());
            } else if (experiment.settings().entries().containsKey(key)) {
                problem("set." + problem.key(), problem.rule(), problem.value());
            } else {
                problems.add(new ConfigException(workload, List.of(problem)));
            }
        }
    }

    /** Returns the runs repetition by repetition, so that changes of the machine affect all cells. */
    private List<PlannedRun> runs() {
        int most = cells.stream().mapToInt(Repeated::repetitions).max().orElse(0);
        ResultNames names = new ResultNames();
        List<PlannedRun> runs = new ArrayList<>();
        for (int repetition = 1; repetition <= most; repetition++) {
            for (Repeated each : cells) {
                if (repetition <= each.repetitions()) {
                    if (runs.size() == MAX_RUNS) {
                        problems.add(request.file(), "experiments", "must have at most " + MAX_RUNS + " runs", null);
                        return runs;
                    }
                    Cell cell = each.cell();
                    boolean selected = only.isEmpty() || only.stream().anyMatch(pattern -> pattern.matches(cell));
                    String fileName = names.of(cell, repetition);
                    runs.add(new PlannedRun(runs.size() + 1, cell, repetition, selected, fileName, each.setup()));
                }
            }
        }
        return runs;
    }

    private void checkSelection(List<PlannedRun> runs) {
        for (RunPattern pattern : only) {
            if (runs.stream().noneMatch(run -> pattern.matches(run.cell()))) {
                List<String> heads = runs.stream()
                        .map(run -> run.cell().experiment() + "/" + run.cell().system())
                        .distinct()
                        .toList();
                problems.add("benchmark: --only " + pattern + ": matches none of the runs of " + request.file() + ": "
                        + String.join(", ", heads.subList(0, Math.min(heads.size(), NAMED_CELLS)))
                        + (heads.size() > NAMED_CELLS ? ", …" : ""));
            }
        }
    }

    /**
     * Returns the digest of each file, by its path relative to the plan's folder, so that files can be moved together.
     */
    private Map<String, String> digests(Path plan) throws PlanException {
        Map<String, String> digests = new TreeMap<>();
        Path folder = plan.toAbsolutePath().normalize().resolveSibling("");
        for (Path file : files) {
            Path relative = folder.relativize(file.toAbsolutePath().normalize());
            digests.put(relative.toString(), digest(file));
        }
        return digests;
    }

    /** Returns the digest of a file's content, as in a manifest. */
    static String digest(Path file) throws PlanException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(DIGEST).digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new PlanException(file + ": cannot be read: " + e.getMessage());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has " + DIGEST, e);
        }
    }
}
