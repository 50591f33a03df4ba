package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Two worker processes against {@code bin/benchmark} alone, with the same load on the same broker. */
final class TwoWorkersComparison extends SystemComparison {

    private final Bar published = atLeast("Kafka, 1 KB, two local workers against one process, published", 0.95, "×");
    private final Bar received = atLeast("… received", 0.95, "×");
    private final Bar perProcessor = measured("… published, by processor time of those that send and receive", "×");

    TwoWorkersComparison(Runs runs) {
        super(runs, "kafka");
    }

    @Override
    Map<String, String> brokerSettings() {
        return KafkaComparison.KEPT_SHORT;
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
        String[] keys = load(10, 10, "topics: 2");
        JsonNode one = runs.run(driver, keys);
        JsonNode two = runs.runOn("--local-workers 2", driver, keys);
        published.add(rate(two, "publish") / rate(one, "publish"));
        received.add(rate(two, "consume") / rate(one, "consume"));
        perProcessor.add(rate(two, "publish") / processors(two) / (rate(one, "publish") / processors(one)));
    }

    private static double rate(JsonNode result, String of) {
        return result.path("rates").path(of).asDouble();
    }

    private static double processors(JsonNode result) {
        return result.path("harness").path("usedProcessors").asDouble();
    }
}
