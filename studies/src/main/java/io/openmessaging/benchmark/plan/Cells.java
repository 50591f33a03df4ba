package io.openmessaging.benchmark.plan;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The cells of a plan, to look names up in.
 *
 * @param all in the order of the plan; repetitions count once
 */
public record Cells(List<Cell> all) {

    public Cells {
        all = all.stream().distinct().toList();
    }

    /** The names of the experiments. */
    public List<String> experiments() {
        return all.stream().map(Cell::experiment).distinct().toList();
    }

    /** The systems that an experiment is done with. */
    public List<String> systems(String experiment) {
        return of(experiment, Cell::system);
    }

    /** The cases of an experiment. */
    public List<String> cases(String experiment) {
        return of(experiment, Cell::caseName);
    }

    private List<String> of(String experiment, Function<Cell, String> name) {
        return all.stream()
                .filter(cell -> cell.experiment().equals(experiment))
                .map(name)
                .distinct()
                .toList();
    }

    /**
     * The cases of an experiment that are like a pattern.
     *
     * @param pattern with {@code *} for any text
     */
    public List<String> cases(String experiment, String pattern) {
        Pattern regex = RunPattern.ofStars(pattern);
        return cases(experiment).stream()
                .filter(name -> regex.matcher(name).matches())
                .toList();
    }
}
