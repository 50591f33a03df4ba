package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.driver.Problems.Problem;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a plan and the files that it names: each once, though many runs may have it. */
final class PlanProblems {

    private final Set<String> lines = new LinkedHashSet<>();

    void add(Path file, String key, String rule, @Nullable Object value) {
        lines.add(file + ": " + new Problem(key, rule, value));
    }

    void add(ConfigException problems) {
        String.valueOf(problems.getMessage()).lines().forEach(lines::add);
    }

    void add(String line) {
        lines.add(line);
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    void throwIfAny() throws PlanException {
        if (!lines.isEmpty()) {
            throw new PlanException(String.join("\n", lines));
        }
    }
}
