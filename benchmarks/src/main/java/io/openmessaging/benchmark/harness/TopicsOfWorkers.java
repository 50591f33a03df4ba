package io.openmessaging.benchmark.harness;

/** Measures how long ten workers take to prepare a run with very many topics. */
final class TopicsOfWorkers extends WorkersBench {

    private static final int WORKERS = 10;
    private static final int TOPICS = 100_000;

    private final Bar prepared = atMost("100,000 topics on 10 workers, prepared", 30, "s");
    private final Bar ready = measured("… until a message has come from each topic", "s");
    private final Bar described = atMost("… description of the run for a worker", 1024, "B");
    private final Bar lost = atMost("… messages lost", 0, "messages");

    TopicsOfWorkers(BenchRuns runs) {
        super(runs, "topics");
    }

    @Override
    void repeat() throws Exception {
        Printed printed = run(
                WORKERS,
                "topics: " + runs.count(TOPICS),
                "producerRate: 100000",
                "warmupDuration: 2s",
                "testDuration: 5s");
        prepared.add(Commands.lastNumber(printed.coordinator(), "provision-seconds ([0-9.]+)"));
        ready.add(Commands.lastNumber(printed.coordinator(), "ready-seconds ([0-9.]+)"));
        described.add(Commands.lastNumber(printed.workers(), "prepare-bytes (\\d+)"));
        lost.add(Commands.lastNumber(printed.coordinator(), "lost (\\d+)"));
    }
}
