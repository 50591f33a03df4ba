package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.PlanFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A plan file and those that it includes.
 *
 * @param file the file
 * @param includes included parts, in the file's order
 */
record PlanPart(PlanFile file, List<PlanPart> includes) {

    /** Returns this part and all that it includes, each once, included parts first. */
    List<PlanPart> all() {
        Set<PlanPart> all = new LinkedHashSet<>();
        includes.forEach(part -> all.addAll(part.all()));
        all.add(this);
        return List.copyOf(all);
    }

    /** Returns the path of a file that this part names: in its own folder, or else in the installation. */
    Path locate(String name, Path home) {
        Path beside = file.path().resolveSibling(name).normalize();
        Path shipped = home.resolve(name).normalize();
        return !Files.exists(beside) && Files.exists(shipped) ? shipped : beside;
    }

    /**
     * Reads a plan file and everything that it includes. Equal files give equal parts. A file that cannot be read is
     * reported as a problem and left out.
     */
    static Optional<PlanPart> read(Path path, Path home, PlanProblems problems) {
        return read(path, home, problems, List.of());
    }

    /** Reads a file that the last of a chain of files includes. */
    private static Optional<PlanPart> read(Path path, Path home, PlanProblems problems, List<Path> chain) {
        Path real = real(path);
        List<Path> longer = Stream.concat(chain.stream(), Stream.of(real)).toList();
        if (chain.contains(real)) {
            String circle = longer.stream()
                    .skip(chain.indexOf(real))
                    .map(link -> String.valueOf(link.getFileName()))
                    .collect(Collectors.joining(" → "));
            problems.add(path, "include", "must not refer to itself: " + circle, null);
            return Optional.empty();
        }
        try {
            PlanFile file = PlanFile.read(path);
            PlanPart alone = new PlanPart(file, List.of());
            List<PlanPart> includes = file.keys().include().stream()
                    .flatMap(name -> read(alone.locate(name, home), home, problems, longer).stream())
                    .toList();
            return Optional.of(new PlanPart(file, includes));
        } catch (ConfigException e) {
            problems.add(e);
        } catch (InvalidPathException e) {
            problems.add(path, "include", "must be files", e.getInput());
        }
        return Optional.empty();
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }
}
