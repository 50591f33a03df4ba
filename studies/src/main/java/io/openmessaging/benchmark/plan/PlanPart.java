package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.PlanFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A plan file and those that it includes.
 *
 * @param file the file
 * @param includes what it includes, in its order
 */
record PlanPart(PlanFile file, List<PlanPart> includes) {

    /** This part and all that it includes, each once, the included ones first. */
    List<PlanPart> all() {
        Set<PlanPart> all = new LinkedHashSet<>();
        includes.forEach(part -> all.addAll(part.all()));
        all.add(this);
        return List.copyOf(all);
    }

    /** Where a file that this part names is: in its own folder, else in the installation. */
    Path locate(String name, Path home) {
        Path beside = file.path().resolveSibling(name).normalize();
        Path shipped = home.resolve(name).normalize();
        return !Files.exists(beside) && Files.exists(shipped) ? shipped : beside;
    }

    /** Reads a plan file and everything that it includes. */
    static final class Reader {

        private final Path home;
        private final PlanProblems problems;
        private final List<Path> chain = new ArrayList<>();

        Reader(Path home, PlanProblems problems) {
            this.home = home;
            this.problems = problems;
        }

        /** Equal files give equal parts. What cannot be read is a problem, and is left out. */
        List<PlanPart> read(Path path) {
            Path real = real(path);
            if (chain.contains(real)) {
                String circle = chain.stream()
                        .skip(chain.indexOf(real))
                        .map(link -> String.valueOf(link.getFileName()))
                        .collect(Collectors.joining(" → "));
                problems.add(
                        path, "include", "must not come back to itself: " + circle + " → " + real.getFileName(), null);
                return List.of();
            }
            chain.add(real);
            try {
                PlanFile file = PlanFile.read(path);
                PlanPart alone = new PlanPart(file, List.of());
                List<PlanPart> includes = new ArrayList<>();
                for (String include : file.keys().include()) {
                    includes.addAll(read(alone.locate(include, home)));
                }
                return List.of(new PlanPart(file, List.copyOf(includes)));
            } catch (ConfigException e) {
                problems.add(e);
                return List.of();
            } catch (InvalidPathException e) {
                problems.add(path, "include", "must be files", e.getInput());
                return List.of();
            } finally {
                chain.remove(chain.size() - 1);
            }
        }

        private static Path real(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException e) {
                return path.toAbsolutePath().normalize();
            }
        }
    }
}
