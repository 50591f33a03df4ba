package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Two worker processes against {@code bin/benchmark} alone, with the same load on the same broker. */
final class TwoWorkersComparison extends SystemComparison {

    /** Two processes compile the client twice: with less, it would be compilers that are compared. */
    private static final int WARM_UP_S = 30;

    private static final int MEASURED_S = 15;
    private static final String TWO = "--local-workers 2";

    /**
     * Up to 2 GiB of each of the two partitions: a run writes as much as the machine has memory. Consumers are behind by far
     * less.
     */
    private static final Map<String, String> KEPT_LONG_ENOUGH = Map.of(
            "log.segment.bytes", "67108864",
            "log.retention.bytes", "2147483648",
            "log.retention.check.interval.ms", "1000",
            "log.segment.delete.delay.ms", "100");

    /**
     * Of the rates that both sides sustain. Producers without a limit publish more than consumers take, on a full machine: how
     * processors are shared among the two would be compared then.
     */
    private final Bar sustained =
            atLeast("Kafka, 1 KB, two local workers against one process, sustainable rate", 0.95, "×");

    private final Bar oneSustains = measured("… of one process", "msg/s");
    private final Bar perProcessor = measured("… by processor time of those that send and receive", "×");

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
        JsonNode two = twoFirst ? search(TWO, driver) : null;
        JsonNode one = search("", driver);
        two = two == null ? search(TWO, driver) : two;
        twoFirst = !twoFirst;
        oneSustains.add(rate(one));
        sustained.add(rate(two) / rate(one));
        perProcessor.add(rate(two) / processors(two) / (rate(one) / processors(one)));
    }

    private JsonNode search(String options, String driver) throws Exception {
        return runs.runOn(
                options,
                driver,
                load(WARM_UP_S, MEASURED_S, "topics: 2", "samplePeriod: 5s", "producerRate: 0", "searchStep: 5s"));
    }

    private static double rate(JsonNode result) {
        return result.path("sustainableRate").asDouble();
    }

    private static double processors(JsonNode result) {
        return result.path("harness").path("usedProcessors").asDouble();
    }
}
