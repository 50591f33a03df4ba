package io.openmessaging.benchmark.harness;

/** Measures how well the clocks of workers on this machine are known under a light load. */
final class WorkerClocksBench extends WorkersBench {

    private static final int WORKERS = 2;

    private final Bar median = atMost("bound of a worker's clock on loopback, median", 100, "µs");
    private final Bar worst = atMost("… at its worst", 1000, "µs");

    WorkerClocksBench(BenchRuns runs) {
        super(runs, "clocks");
    }

    @Override
    void repeat() throws Exception {
        Printed printed =
                run(WORKERS, "topics: " + WORKERS, "producerRate: 1000", "warmupDuration: 3s", "testDuration: 20s");
        Commands.numbers(printed.coordinator(), "clock-median-us ([0-9.]+)").forEach(median::add);
        Commands.numbers(printed.coordinator(), "clock-worst-us ([0-9.]+)").forEach(worst::add);
    }
}
