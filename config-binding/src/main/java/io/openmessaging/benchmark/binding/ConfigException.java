package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Problems.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file cannot be used. The exception contains all of its problems. The message has one line per problem,
 * {@code file: key: rule, got value}; a problem of the file as a whole has no key.
 */
public final class ConfigException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final transient List<Problem> problems;

    /**
     * @param file as the user named it
     * @param problems at least one
     */
    public ConfigException(Path file, List<Problem> problems) {
        super(problems.stream()
                .map(problem -> Problems.shown(file.toString()) + ": " + text(problem))
                .collect(Collectors.joining("\n")));
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("There is nothing wrong with " + file);
        }
        this.file = file;
        this.problems = List.copyOf(problems);
    }

    /** Creates an exception for a problem of the file as a whole. */
    public static ConfigException ofFile(Path file, String rule, @Nullable Object value) {
        return new ConfigException(file, List.of(new Problem("", rule, value)));
    }

    /** Throws if there are problems. */
    public static void throwIfAny(Path file, Problems problems) throws ConfigException {
        List<Problem> found = problems.found();
        if (!found.isEmpty()) {
            throw new ConfigException(file, found);
        }
    }

    private static String text(Problem problem) {
        String text = problem.toString();
        return problem.key().isEmpty() ? text.substring(": ".length()) : text;
    }

    /** The file, as the user named it. */
    public Path file() {
        return file;
    }

    /** The problems, in the order in which they were found. */
    public List<Problem> problems() {
        return problems;
    }
}
