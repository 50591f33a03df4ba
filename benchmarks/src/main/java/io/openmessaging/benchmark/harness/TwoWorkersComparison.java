package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Compares two worker processes with {@code bin/benchmark} alone, with the same load on the same broker. The limit
 * applies to a broker that may use so little of the machine that it is saturated before the clients are, as where
 * workers have machines of their own. If all share two full processors, every further process reduces the rate by what
 * it uses: that is measured, too.
 */
final class TwoWorkersComparison extends SystemComparison {

    /** Two processes compile the client twice: with a shorter warm-up, the comparison would be one of compilers. */
    private static final int WARM_UP_S = 30;

    private static final int MEASURED_S = 15;
    private static final String TWO = "--local-workers 2";

    /**
     * Processors of the broker, out of two: clients that send and receive all that it can handle use less than the
     * rest.
     */
    private static final double BROKER_CPUS = 0.4;

    /**
     * Up to 2 GiB of each of the two partitions, since a run writes as much as the machine has memory. Consumers are
     * behind by far less.
     */
    private static final Map<String, String> KEPT_LONG_ENOUGH = Map.of(
            "log.segment.bytes", "67108864",
            "log.retention.bytes", "2147483648",
            "log.retention.check.interval.ms", "1000",
            "log.segment.delete.delay.ms", "100");

    private final Bar both;
    private final Bar one;
    private final Bar perProcessor;
    private final boolean limited;
    private boolean twoFirst;

    private TwoWorkersComparison(BenchRuns runs, String name, boolean limited) {
        super(runs, name, "kafka");
        this.limited = limited;
        String what = "Kafka, 1 KB, two local workers against one process, ";
        this.both = limited
                ? atLeast(what + "received from a broker with " + BROKER_CPUS + " processors", 0.95, "×")
                : measured(what + "sustainable rate, all without processor limits", "×");
        this.one = measured("… of one process", "msg/s");
        this.perProcessor = measured("… per processor time of the processes that send and receive", "×");
    }

    /** Compares on a broker that is saturated before the clients. */
    static TwoWorkersComparison ofLimitedBroker(BenchRuns runs) {
        return new TwoWorkersComparison(runs, "kafka", true);
    }

    /** Compares without any limits. */
    static TwoWorkersComparison ofFullMachine(BenchRuns runs) {
        return new TwoWorkersComparison(runs, "kafka-full-machine", false);
    }

    @Override
    ProcessLimit brokerLimit() {
        return limited ? new ProcessLimit(BROKER_CPUS, null) : ProcessLimit.NONE;
    }

    @Override
    Map<String, String> brokerSettings() {
        return KEPT_LONG_ENOUGH;
    }

    /** Uses a new broker each time, like {@link KafkaComparison}. */
    @Override
    void measure(int repetitions) throws Exception {
        for (int i = 1; i <= repetitions; i++) {
            repeat(i, i, repetitions);
        }
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String driver = KafkaComparison.driver(broker);
        // The broker's own compiler should be finished before the first of the two runs.
        runs.run(driver, load(10, 5, "topics: 2"));
        JsonNode ofTwo = twoFirst ? run(TWO, driver) : null;
        JsonNode ofOne = run("", driver);
        ofTwo = ofTwo == null ? run(TWO, driver) : ofTwo;
        twoFirst = !twoFirst;
        one.add(rate(ofOne));
        both.add(rate(ofTwo) / rate(ofOne));
        perProcessor.add(rate(ofTwo) / processors(ofTwo) / (rate(ofOne) / processors(ofOne)));
    }

    /**
     * Runs the load. A saturated broker limits producers that have no rate of their own. On a full machine such
     * producers would publish more than consumers receive, and the result would depend on how the two share the
     * processors. So there the run searches a rate that both sustain.
     */
    private JsonNode run(String options, String driver) throws Exception {
        String rate = limited ? "" : "producerRate: 0\nsearchStep: 5s";
        return runs.runOn(options, driver, load(WARM_UP_S, MEASURED_S, "topics: 2", "samplePeriod: 5s", rate));
    }

    private double rate(JsonNode result) {
        return limited
                ? result.path("rates").path("consume").asDouble()
                : result.path("search").path("foundRate").asDouble();
    }

    private static double processors(JsonNode result) {
        return result.path("harness").path("usedProcessors").asDouble();
    }
}
