package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs with the in-memory driver whose workers are all in one process; their coordinator is in another. */
abstract class WorkersBench extends Bench {

    private static final String PROGRAMS = "io.openmessaging.benchmark.harness.workers.";

    WorkersBench(BenchRuns runs, String name) {
        super(runs, name);
    }

    /** Measures each figure once. */
    abstract void repeat() throws Exception;

    @Override
    void measure(int repetitions) throws Exception {
        for (int i = 1; i <= repetitions; i++) {
            System.err.printf("%s, repetition %d of %d%n", name(), i, repetitions);
            repeat();
        }
    }

    /**
     * Output of both sides of a run.
     *
     * @param coordinator see {@code Coordinator}
     * @param workers see {@code ManyWorkers}
     */
    record Printed(String coordinator, String workers) {}

    /** Runs a workload on that many workers. */
    final Printed run(int count, String... keys) throws IOException, InterruptedException {
        Path workload = runs.workloadFile(keys);
        try (Commands.Running workers = start("-Xms512m -Xmx4g", "ManyWorkers", Integer.toString(count))) {
            List<Double> ports = workers.await("listening on (\\d+)", count);
            String urls = ports.stream()
                    .map(port -> String.format(Locale.ROOT, "http://127.0.0.1:%.0f", port))
                    .collect(Collectors.joining(" "));
            String coordinator = start("-Xms64m -Xmx512m", "Coordinator", workload + " " + urls)
                    .awaitEnd();
            return new Printed(coordinator, Files.readString(workers.output(), StandardCharsets.UTF_8));
        }
    }

    /** Starts one of the programs, on the class path of the distribution and this process. */
    final Commands.Running start(String jvmOptions, String program, String arguments) throws IOException {
        Path home = runs.commands().home();
        Path distribution = home.resolve("dist/target/benchmark");
        return runs.commands()
                .startJava(
                        jvmOptions + " -Dbenchmark.home=%s -Dbenchmark.distribution=%s -cp %s %s " + arguments,
                        home,
                        distribution,
                        distribution.resolve("lib") + "/*:" + System.getProperty("java.class.path"),
                        PROGRAMS + program);
    }
}
