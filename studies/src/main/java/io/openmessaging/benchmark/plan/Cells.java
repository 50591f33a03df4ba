package io.openmessaging.benchmark.plan;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The cells of a plan, for looking up names.
 *
 * @param all in the order of the plan; repetitions count once
 */
public record Cells(List<Cell> all) {

    public Cells {
        all = all.stream().distinct().toList();
    }

    public List<String> experiments() {
        return all.stream().map(Cell::experiment).distinct().toList();
    }

    /** Returns the systems of an experiment. */
    public List<String> systems(String experiment) {
        return of(experiment, Cell::system);
    }

    /** Returns the cases of an experiment. */
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
     * Returns the cases of an experiment that match a pattern.
     *
     * @param pattern {@code *} stands for any text
     */
    public List<String> cases(String experiment, String pattern) {
        Pattern regex = RunPattern.ofStars(pattern);
        return cases(experiment).stream()
                .filter(name -> regex.matcher(name).matches())
                .toList();
    }
}
