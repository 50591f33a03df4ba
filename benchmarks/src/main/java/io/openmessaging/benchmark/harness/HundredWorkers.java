package io.openmessaging.benchmark.harness;

/** Measures the coordinator's cost in a run with a hundred workers. */
final class HundredWorkers extends WorkersBench {

    private static final int WORKERS = 100;

    /**
     * Each worker is polled every 0.8 s: with a shorter warm-up, the coordinator's compilers are half of what is
     * measured.
     */
    private static final String WARM_UP = "warmupDuration: 120s";

    private final Bar lost = atMost("100 workers, messages lost", 0, "messages");
    private final Bar cores = atMost("… processor time of the coordinator", 15, "% of a core");
    private final Bar heap = atMost("… its heap, at most", 512, "MiB");
    private final Bar barrier = atMost("… from the start call to the first message of the last worker", 5, "s");
    private final Bar merge = atMost("… their periods merged, processor time", 100, "ms");
    private final Bar firstMerge = measured("… the first time", "ms");
    private final Bar read = measured("… their periods read, processor time", "ms");

    HundredWorkers(BenchRuns runs) {
        super(runs, "hundred");
    }

    @Override
    void repeat() throws Exception {
        Printed printed = run(
                WORKERS,
                "topics: " + WORKERS,
                "producerRate: 10000",
                WARM_UP,
                "testDuration: 60s",
                "samplePeriod: 10s");
        lost.add(Commands.lastNumber(printed.coordinator(), "lost (\\d+)"));
        cores.add(100 * Commands.lastNumber(printed.coordinator(), "cores ([0-9.]+)"));
        heap.add(Commands.lastNumber(printed.coordinator(), "heap-mib ([0-9.]+)"));
        barrier.add(Commands.lastNumber(printed.workers(), "barrier-seconds ([0-9.]+)"));
        String merged =
                start("-Xmx512m", "PeriodMerge", Integer.toString(WORKERS)).awaitEnd();
        merge.add(Commands.lastNumber(merged, "(?m)^merge-ms ([0-9.]+)"));
        firstMerge.add(Commands.lastNumber(merged, "first-merge-ms ([0-9.]+)"));
        read.add(Commands.lastNumber(merged, "read-ms ([0-9.]+)"));
    }
}
