package io.openmessaging.benchmark.harness;

import java.util.List;

/** Measures the cost of sharing a run among workers. */
public final class BenchWorkers {

    private BenchWorkers() {}

    /** See {@link Bench#run}. */
    public static void main(String[] args) throws Exception {
        Bench.run(
                "bench-workers",
                args,
                runs -> List.of(
                        new HundredWorkers(runs),
                        new TopicsOfWorkers(runs),
                        new WorkerClocksBench(runs),
                        TwoWorkersComparison.ofLimitedBroker(runs),
                        TwoWorkersComparison.ofFullMachine(runs)));
    }
}
