package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.driver.Problems.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The systems of a plan and their driver files, after replacements from the command line. */
final class Systems {

    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)=(.+)");
    private static final String LIMITS = "limits";

    private record Use(String system, Path plan, Mapping limits) {}

    private final Path home;
    private final PlanProblems problems;
    private final Map<String, Path> files = new LinkedHashMap<>();
    private final Map<String, Path> definedIn = new HashMap<>();
    private final Map<Use, Optional<DriverFile>> drivers = new HashMap<>();

    Systems(Path home, PlanProblems problems) {
        this.home = home;
        this.problems = problems;
    }

    /** Adds the systems of a part of the plan. */
    void define(PlanPart part) {
        Path planPath = part.file().path();
        part.file().keys().systems().forEach((system, name) -> {
            String key = "systems." + system;
            try {
                Path file = part.locate(name, home);
                if (files.containsKey(system) && !same(file, files.get(system))) {
                    problems.add(planPath, key, "is another driver file in " + definedIn.get(system), name);
                    return;
                }
                files.forEach((other, otherFile) -> {
                    if (!other.equals(system) && same(file, otherFile)) {
                        problems.add(planPath, key, "must be a driver file of its own, is also that of " + other, name);
                    }
                });
                files.put(system, file);
                definedIn.putIfAbsent(system, planPath);
            } catch (InvalidPathException e) {
                problems.add(planPath, key, "must be a driver file", name);
            }
        });
    }

    private static boolean same(Path one, @Nullable Path other) {
        try {
            return other != null && Files.isSameFile(one, other);
        } catch (IOException e) {
            return one.equals(other);
        }
    }

    /** Returns all driver files, with those from the command line instead of those that they replace. */
    Collection<Path> files() {
        return files.values();
    }

    /** Replaces driver files of the plan by those from the command line. */
    void replace(List<String> replacements, Path planPath) {
        Map<String, String> replaced = new HashMap<>();
        // Compares with the plan's own files, whatever was replaced before.
        Map<String, Path> own = new LinkedHashMap<>(files);
        for (String replacement : replacements) {
            Matcher named = NAMED.matcher(replacement);
            boolean byName = named.matches() && !Files.exists(Path.of(replacement));
            String file = byName ? named.group(2) : replacement;
            Optional<String> replacedSystem =
                    byName ? known(named.group(1), replacement, planPath) : withSameDriver(file, own, planPath);
            replacedSystem.ifPresent(system -> {
                String before = replaced.putIfAbsent(system, file);
                if (before == null) {
                    files.put(system, fromCommandLine(file));
                } else {
                    problems.add(
                            "benchmark: --drivers: " + system + " is named twice, with " + before + " and " + file);
                }
            });
        }
    }

    private Path fromCommandLine(String file) {
        Path path = Path.of(file);
        Path shipped = home.resolve(file);
        return !Files.exists(path) && Files.exists(shipped) ? shipped : path;
    }

    private Optional<String> known(String system, String replacement, Path planPath) {
        if (files.containsKey(system)) {
            return Optional.of(system);
        }
        problems.add("benchmark: --drivers " + replacement + ": "
                + KnownKeys.unknownRule("system of " + planPath, system, files.keySet()));
        return Optional.empty();
    }

    private Optional<String> withSameDriver(String file, Map<String, Path> own, Path planPath) {
        try {
            String driverClass = DriverFile.read(fromCommandLine(file)).driverClass();
            List<String> same = new ArrayList<>();
            for (Map.Entry<String, Path> system : own.entrySet()) {
                if (DriverFile.read(system.getValue()).driverClass().equals(driverClass)) {
                    same.add(system.getKey());
                }
            }
            if (same.size() == 1) {
                return Optional.of(same.get(0));
            }
            String which = same.isEmpty() ? "no system of " + planPath + " has" : String.join(", ", same) + " have";
            problems.add("benchmark: --drivers " + file + ": " + which
                    + " its driverClass; name the system it is for: NAME=" + file);
        } catch (ConfigException e) {
            problems.add(e);
        }
        return Optional.empty();
    }

    /**
     * Returns the driver file of a system with the limits of a part of the plan, the same object each time; empty if it
     * cannot be read, which is reported.
     */
    Optional<DriverFile> driver(String system, PlanPart part) {
        Use use = new Use(system, part.file().path(), part.file().keys().limits());
        return drivers.computeIfAbsent(use, this::read);
    }

    private Optional<DriverFile> read(Use use) {
        Path file = files.get(use.system());
        if (file == null) {
            return Optional.empty();
        }
        boolean unlimited = use.limits().entries().isEmpty();
        try {
            return Optional.of(
                    DriverFile.read(file, unlimited ? Mapping.empty() : new Mapping(Map.of(LIMITS, use.limits()))));
        } catch (ConfigException e) {
            e.problems().forEach(problem -> addWhereWritten(problem, file, use));
            return Optional.empty();
        }
    }

    /** Reports a problem at its place; wrong limits may come from the plan. */
    private void addWhereWritten(Problem problem, Path file, Use use) {
        String[] path = problem.key().split("\\.", 3);
        boolean inPlan = path[0].equals(LIMITS)
                && path.length > 1
                && use.limits().entries().containsKey(path[1]);
        if (inPlan) {
            problems.add(use.plan(), problem.key(), problem.rule(), problem.value());
        } else {
            problems.add(new ConfigException(file, List.of(problem)));
        }
    }
}
