package io.openmessaging.benchmark.plan;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/** The cells of a plan in its order, to look names up in. */
public final class Cells {

    private final List<Cell> all;

    /** Takes them in the order of the plan; repetitions count once. */
    public Cells(List<Cell> cells) {
        all = List.copyOf(new LinkedHashSet<>(cells));
    }

    /** Every cell once. */
    public List<Cell> all() {
        return all;
    }

    /** The names of the experiments. */
    public List<String> experiments() {
        return all.stream().map(Cell::experiment).distinct().toList();
    }

    /** The systems that an experiment is done with. */
    public List<String> systems(String experiment) {
        return all.stream()
                .filter(cell -> cell.experiment().equals(experiment))
                .map(Cell::system)
                .distinct()
                .toList();
    }

    /** The cases of an experiment. */
    public List<String> cases(String experiment) {
        return all.stream()
                .filter(cell -> cell.experiment().equals(experiment))
                .map(Cell::caseName)
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
