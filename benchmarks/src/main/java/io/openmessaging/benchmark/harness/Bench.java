package io.openmessaging.benchmark.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Measures some figures several times and compares them with their limits. */
abstract class Bench {

    private static final int REPETITIONS = 5;

    final BenchRuns runs;
    private final String name;
    private final List<Bar> bars = new ArrayList<>();

    Bench(BenchRuns runs, String name) {
        this.runs = runs;
        this.name = name;
    }

    /** Returns the name that selects it on the command line. */
    final String name() {
        return name;
    }

    /** Measures each figure that many times, in turn, so that a drift of the machine affects all of them. */
    abstract void measure(int repetitions) throws Exception;

    final Bar atMost(String what, double limit, String unit) {
        return bar(new Bar(what, unit, limit, true, new ArrayList<>()));
    }

    final Bar atLeast(String what, double limit, String unit) {
        return bar(new Bar(what, unit, limit, false, new ArrayList<>()));
    }

    /** Adds a figure that is reported but has no limit. */
    final Bar measured(String what, String unit) {
        return bar(new Bar(what, unit, Double.NaN, true, new ArrayList<>()));
    }

    private Bar bar(Bar bar) {
        bars.add(bar);
        return bar;
    }

    /**
     * Measures, prints a Markdown table, and ends this process; with exit code 1 if a limit is missed.
     *
     * @param args {@code --short} to check that everything runs: one repetition, not judged; names to run only these
     *     benches
     */
    static void run(String program, String[] args, Function<BenchRuns, List<Bench>> benches) throws Exception {
        List<String> names = new ArrayList<>(List.of(args));
        boolean shortRuns = names.remove("--short");
        int repetitions = shortRuns ? 1 : REPETITIONS;
        List<Bar> bars = new ArrayList<>();
        try (Commands commands =
                Commands.begin(Path.of(System.getProperty("benchmark.home")).toAbsolutePath())) {
            List<Bench> all = benches.apply(new BenchRuns(commands, shortRuns));
            List<String> known = all.stream().map(Bench::name).toList();
            for (String name : names) {
                if (!known.contains(name)) {
                    System.err.println(
                            program + ": options are --short and names of " + known + ", got '" + name + "'");
                    System.exit(2);
                }
            }
            List<Bench> chosen = all.stream()
                    .filter(bench -> names.isEmpty() || names.contains(bench.name))
                    .toList();
            chosen.forEach(bench -> bars.addAll(bench.bars));
            // Prints the figures measured so far even if an error or a signal ends the process.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> print(bars, repetitions)));
            for (Bench bench : chosen) {
                bench.measure(repetitions);
            }
        }
        System.exit(shortRuns || bars.stream().allMatch(Bar::isMet) ? 0 : 1);
    }

    private static void print(List<Bar> bars, int repetitions) {
        System.out.println("| what | bar | measured: median (range of " + repetitions + ") | |\n|---|---|---|---|\n"
                + bars.stream().filter(Bar::isMeasured).map(Bar::row).collect(Collectors.joining("\n")));
    }
}
