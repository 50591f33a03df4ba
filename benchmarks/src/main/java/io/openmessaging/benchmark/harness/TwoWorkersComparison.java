package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Two worker processes against {@code bin/benchmark} alone, with the same load on the same broker. */
final class TwoWorkersComparison extends SystemComparison {

    /** Two processes compile the client twice: with less, it would be compilers that are compared. */
    private static final int WARM_UP_S = 60;

    private static final int MEASURED_S = 15;

    /**
     * Up to 2 GiB of each of the two partitions: a run writes 20 GB, which is as much as the machine has memory. Consumers
     * are behind by far less.
     */
    private static final Map<String, String> KEPT_LONG_ENOUGH = Map.of(
            "log.segment.bytes", "67108864",
            "log.retention.bytes", "2147483648",
            "log.retention.check.interval.ms", "1000",
            "log.segment.delete.delay.ms", "100");

    private final Bar published = atLeast("Kafka, 1 KB, two local workers against one process, published", 0.95, "×");
    private final Bar received = atLeast("… received", 0.95, "×");
    private final Bar perProcessor = measured("… published, by processor time of those that send and receive", "×");

    private boolean twoFirst;

    TwoWorkersComparison(Runs runs) {
        super(runs, "kafka");
    }

    @Override
    Map<String, String> brokerSettings() {
        return KEPT_LONG_ENOUGH;
    }

    /** With a new broker each time, as {@link KafkaComparison}. */
    @Override
    void measure(int repetitions) throws Exception {
        for (int i = 1; i <= repetitions; i++) {
            repeat(i, i, repetitions);
        }
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String driver = KafkaComparison.driver(broker);
        // The broker's own compiler is to be done with before the first of the two.
        runs.run(driver, load(10, 5, "topics: 2"));
        JsonNode two = twoFirst ? ofTwo(driver) : null;
        JsonNode one = runs.run(driver, load(WARM_UP_S, MEASURED_S, "topics: 2", "samplePeriod: 5s"));
        two = two == null ? ofTwo(driver) : two;
        twoFirst = !twoFirst;
        published.add(rate(two, "publish") / rate(one, "publish"));
        received.add(rate(two, "consume") / rate(one, "consume"));
        perProcessor.add(rate(two, "publish") / processors(two) / (rate(one, "publish") / processors(one)));
    }

    private JsonNode ofTwo(String driver) throws Exception {
        return runs.runOn("--local-workers 2", driver, load(WARM_UP_S, MEASURED_S, "topics: 2", "samplePeriod: 5s"));
    }

    private static double rate(JsonNode result, String of) {
        return result.path("rates").path(of).asDouble();
    }

    private static double processors(JsonNode result) {
        return result.path("harness").path("usedProcessors").asDouble();
    }
}
